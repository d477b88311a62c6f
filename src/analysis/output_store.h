// Stores to outputs.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::analysis {

// The OpStore writes to an output or to a part of one.
bool stores_to_output(const spirv::Module& module, spirv::InstRef store);

}  // namespace varylink::analysis
