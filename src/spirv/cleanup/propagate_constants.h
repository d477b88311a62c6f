// Values that are constant: what CleanUp::propagate_constants does, without SPIRV-Tools.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Wegman, Zadeck, "Constant Propagation with Conditional Branches" (1991): what is computed from constants alone
// becomes a constant, on the paths that branches on constants leave. Branches stay.
//
// Returns false, and leaves the functions as they were, if it cannot tell what an instruction gives that SPIRV-Tools
// may fold (constant_folder.h), or the module has several functions. The module is is_plain()
// (spirv/tools/clean_up_work.h).
bool propagate_constants(Module& module);

}  // namespace varylink::spirv
