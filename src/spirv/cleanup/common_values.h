// Common values of the sides of a branch.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Hoists values that every target block of a branch computes alike and that meet in a phi: they are computed in front
// of the branch and replace the phi (rule ). Applies to arithmetic, and to loads of memory that nothing can write.
// The other computations stay, for gvn() or dead code removal. Returns whether something changed.
bool hoist_common_values(Module& module);

}  // namespace varylink::spirv
