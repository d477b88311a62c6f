// Built-in variables of an entry point, single or as members of built-in blocks (rule ).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

class DecorationIndex;

struct BuiltIn {
  spirv::Id variable = 0;
  std::optional<std::uint32_t> member;  // of the block, none for a single variable
  spv::BuiltIn kind = spv::BuiltIn::Position;
  spirv::Id type = 0;  // of the member, or of the single variable without its per-vertex level
  std::string name;
};

// In the order of the entry point's list, block members in declaration order.
std::vector<BuiltIn> built_ins(const spirv::Module& module, const Entry& entry, Direction direction);
std::vector<BuiltIn> built_ins(const spirv::Module& module, const Entry& entry, Direction direction,
                               const DecorationIndex& decorations);

// The variable behind a pointer's access chains, and the top-level block member that they select, if a constant selects
// it. None for pointers from elsewhere.
struct PointerRoot {
  spirv::Id variable = 0;
  std::optional<std::uint32_t> member;
};
std::optional<PointerRoot> pointer_root(const spirv::Module& module, spirv::Id pointer);

}  // namespace varylink::varyings
