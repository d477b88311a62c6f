// Local variables into values.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Removes variables of functions that are only loaded and stored, as a whole or by constant indices. A load becomes the
// value that was stored last, chosen by phis where paths meet; before any store the value is undefined. A store to a
// part becomes an OpCompositeInsert. Stays: variables with another use (a pointer that goes to a call, an index that is
// not constant), volatile accesses, types that are not made of numbers and booleans. A variable with a DebugDeclare
// gets a DebugValue wherever its value changes.
void mem2reg(Module& module);

}  // namespace varylink::spirv
