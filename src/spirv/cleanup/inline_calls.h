// Calls into code: what CleanUp::inline_functions does, without SPIRV-Tools.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Replaces every call by the body of the function, and removes all functions but those of entry points. A body that is
// needed once is moved, with its ids; others are copied, with names and decorations. Local variables of a function
// stand in its caller then; their initializers become stores where the call was.
//
// Returns false, and leaves the module as it was, if some call is none of these: the function has one return, which is
// in no selection or loop; it does not ask not to be inlined; it does not call itself; a function of several blocks is
// not called from the header of a loop; one that ends the invocation is not called from the continue construct of a
// loop (SPIR-V 2.11: such constructs end where they branch back). The module has no debug instructions (is_plain() of
// spirv/tools/clean_up_work.h).
bool inline_calls(Module& module);

}  // namespace varylink::spirv
