// All decorations of a module by target, read in one pass over its annotations. Cheaper than decorations_of() for many
// targets.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

class DecorationIndex {
 public:
  // Reads the annotations once; later edits of the module are not seen. Decoration groups are expanded.
  explicit DecorationIndex(const spirv::Module& module);

  // Decorations of an id itself, in the order of the module. Empty if there are none. Owned by the index.
  DecorationList of(spirv::Id target) const;
  // Decorations of one member of a structure type.
  DecorationList of_member(spirv::Id target, std::uint32_t member) const;

 private:
  void read(const spirv::Module& module, spirv::InstRef inst);
  void put_in_order();
  DecorationList find(std::uint64_t key) const;

  // In the order of the keys of ids and members, and for each what it is decorated with.
  std::vector<std::uint64_t> keys_;
  std::vector<Decoration> decorations_;
};

}  // namespace varylink::varyings
