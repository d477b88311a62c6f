// Uniform blocks that get members more, so that a stage has one resource at a binding (rule ).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "spirv/ir/globals.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/slot.h"

namespace varylink::link {

// Scalars by offset.
using BlockMembers = std::map<std::uint32_t, varyings::ScalarType>;

// The bytes of a block that its declaration takes, and those that are to be added.
class BlockRoom {
 public:
  BlockRoom() = default;  // of a block that is not declared yet: all of it
  // `variable` is a uniform buffer, and no array of these.
  BlockRoom(const spirv::Module& module, const spirv::Uses& uses, spirv::Id variable);

  // Whether the scalar may be declared there, beside what was taken before. Takes its bytes if so.
  bool take(std::uint32_t offset, varyings::ScalarType type);

 private:
  bool is_closed_ =
      false;  // the declaration cannot change: code reads the block in one piece, or its layout is not known
  std::vector<std::pair<std::uint64_t, std::uint64_t>> taken_;  // first byte and the one behind
  BlockMembers added_;
};

// The block of `variable` with these members more, in the order of their offsets. There is room for them.
void widen_block(spirv::Module& module, spirv::Globals& globals, spirv::Id variable, const BlockMembers& members);

// A structure decorated Block with just these members.
spirv::Id declare_block_type(spirv::Module& module, spirv::Globals& globals, const BlockMembers& members);

}  // namespace varylink::link
