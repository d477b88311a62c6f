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

  // Decorations of an id itself, in the order of the module. Empty if there are none.
  const Decorations& of(spirv::Id target) const;
  // Decorations of one member of a structure type.
  const Decorations& of_member(spirv::Id target, std::uint32_t member) const;

 private:
  struct Entry {
    std::uint64_t key = 0;  // of the id or member
    std::pair<spv::Decoration, std::uint32_t> decoration;
  };

  static void read(const spirv::Module& module, spirv::InstRef inst, std::vector<Entry>& entries);
  const Decorations& find(std::uint64_t key) const;

  std::vector<std::pair<std::uint64_t, Decorations>> lists_;  // in the order of their keys
};

}  // namespace varylink::varyings
