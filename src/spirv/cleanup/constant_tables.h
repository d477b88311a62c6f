// Local arrays that hold constants and nothing else.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// A local array of `function` to which nothing but one constant is ever stored, whole or element by element, gets it as
// its initializer, and the stores go (rule ). Inlining makes such stores of the initializers of the functions
// that were called, and drivers place a table in constant memory only as long as it is filled at one place. True if
// there were some.
bool initialize_tables(Module& module, Id function);

}  // namespace varylink::spirv
