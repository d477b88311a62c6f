// Values that are constant.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Wegman, Zadeck, "Constant Propagation with Conditional Branches" (1991): values computed from constants alone become
// constants, on the paths that branches on constants leave. Branches stay.
//
// Values stay that ConstantFolder does not know (rule ).
void sccp(Module& module);
// The same for integers computed from integers, and for conditions: floats stay as they are computed (rule ).
void fold_integers(Module& module);

}  // namespace varylink::spirv
