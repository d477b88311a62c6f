// Stores to outputs.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::analysis {

// The instruction may write through a pointer to something else than an output or a part of one.
bool writes_beside_outputs(const spirv::Module& module, spirv::InstRef inst);

}  // namespace varylink::analysis
