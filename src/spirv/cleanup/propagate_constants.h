// Values that are constant.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Wegman, Zadeck, "Constant Propagation with Conditional Branches" (1991): what is computed from constants alone
// becomes a constant, on the paths that branches on constants leave. Branches stay.
//
// Values stay that ConstantFolder does not know. SPIRV-Tools' pass of this kind is not used at all: it folds
// conversions by the signedness of their types, rounds to nearest whatever the module asks for, and ends the process
// with the least integer divided by -1 (rule ).
void propagate_constants(Module& module);

}  // namespace varylink::spirv
