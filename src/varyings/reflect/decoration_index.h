// All decorations of a module, found by target in one pass over its annotations. Cheaper than decorations_of() when
// many targets are asked for.
#pragma once

#include <unordered_map>
#include <vector>

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

class DecorationIndex {
 public:
  // Reads the annotations once; later edits of the module are not seen. Decoration groups are expanded.
  explicit DecorationIndex(const spirv::Module& module);

  // Decorations of an id itself, in the order of the module. Empty if there are none.
  const Decorations& of(spirv::Id target) const;
  // Decorations of one member of a structure type.
  const Decorations& of_member(spirv::Id target, std::uint32_t member) const;

 private:
  void read(const spirv::Module& module, spirv::InstRef inst);

  std::unordered_map<std::uint64_t, Decorations> lists_;  // looked up, never iterated
};

}  // namespace varylink::varyings
