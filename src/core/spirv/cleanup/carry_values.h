// Values where they are used.
#pragma once

#include "spirv/ir/globals.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// For a function into which branches were put: a value whose definition does not dominate some use any more goes there
// in a local variable. Ways that do not come by the definition find it undefined, as they need it no more than before.
// Debug records of such values go. False, and of no use is the module then, if a value is none that a variable may
// hold.
bool carry_values_in_variables(Module& module, Function& function, Globals& globals);

}  // namespace varylink::spirv
