// Components of a loaded vector that its users look at.
#pragma once

#include <cstdint>

#include "spirv/ir/module.h"
#include "spirv/ir/uses.h"

namespace varylink::varyings {

// One bit per component, bit 0 is the first; all of them for a user that takes the vector as it is, and for a scalar.
std::uint32_t used_components(const spirv::Module& module, const spirv::Uses& uses, spirv::Id vector);

}  // namespace varylink::varyings
