// Which values may have been computed with less than full precision.
#pragma once

#include <vector>

#include "spirv/ir/module.h"

namespace varylink::analysis {

// By id: an operation behind it, direct or through others, is decorated RelaxedPrecision. Memory is not followed: what
// is loaded is what somebody stored, whatever the load says.
std::vector<bool> relaxed_values(const spirv::Module& module, const spirv::Function& function);

}  // namespace varylink::analysis
