// Volatile accesses are known by their own operands.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Gives every load and store of memory that is declared Volatile, by a decoration of its variable or of a member on the
// way, the memory operand that says the same. glslang decorates gl_HelperInvocation for SPIR-V 1.6 and loads it
// plainly; no clean-up then has to look for declarations.
void make_volatile_explicit(Module& module);

}  // namespace varylink::spirv
