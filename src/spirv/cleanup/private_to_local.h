// Private variables into local ones.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Private variables that only the function of an entry point uses, for accesses and paths, become its local variables:
// it runs once in an invocation, so that both live as long. Their initializers and decorations stay theirs. No other
// function may use them, calls included, since a parameter would have to be of another type.
void private_to_local(Module& module);

}  // namespace varylink::spirv
