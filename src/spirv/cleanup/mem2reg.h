// Local variables into values.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Variables of functions that are only loaded and stored, as a whole or by constant indices, go. What a load gives
// becomes the value that was stored last, chosen by phis where paths meet; before any store it is undefined. A store to
// a part becomes an OpCompositeInsert. Stays: variables with another use (a pointer that goes to a call, an index that
// is not constant), volatile accesses, types that are not made of numbers and booleans. What DebugDeclare named is
// named by DebugValue wherever it changes.
void mem2reg(Module& module);

}  // namespace varylink::spirv
