// Which components of its interface variables an entry point reads and writes, told from the instructions of its call
// tree. Static and conservative: everything that may be touched on any path counts, an index that is not a constant
// touches the whole array, and a use that is not understood touches the whole variable in both ways. For checks of
// modules as they came, with calls and local variables; pointer_access.h knows each access exactly, once all code is
// inlined.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// One bit per component of the leaf: bit 0 is the leaf's first component.
struct LeafAccess {
  std::uint8_t read = 0;
  std::uint8_t written = 0;
  // Written at a constant place, under no condition and in no loop: no constant that becomes known takes the store
  // away.
  std::uint8_t certain = 0;
};

struct VariableAccess {
  spirv::Id id = 0;
  std::vector<LeafAccess> leaves;  // parallel to InterfaceVariable::leaves
};

// Accesses of `variables` by the functions that `entry` can call; the result is parallel to `variables`. A load whose
// result is only split counts for the parts that are taken. An initializer counts as a write.
std::vector<VariableAccess> analyze_access(const spirv::Module& module, const Entry& entry,
                                           const std::vector<InterfaceVariable>& variables);

}  // namespace varylink::varyings
