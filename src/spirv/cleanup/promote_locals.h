// Local variables into values: what CleanUp::promote_locals does, without SPIRV-Tools.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Variables of functions that are only loaded and stored, as a whole or by constant indices, go. What a load gives
// becomes the value that was stored last, chosen by phis where paths meet; before any store it is undefined. A store to
// a part becomes an OpCompositeInsert. Stays: variables with another use (a pointer that goes to a call, an index that
// is not constant), volatile accesses, types that are not made of numbers and booleans. The module has no debug
// instructions (is_plain() of spirv/tools/clean_up_work.h).
void promote_locals(Module& module);

}  // namespace varylink::spirv
