// Calls into code.
#pragma once

#include "spirv/ir/module.h"
#include "spirv/ir/source_places.h"

namespace varylink::spirv {

// Replaces calls by the body of the function, and removes functions that no entry point calls any more. A body that is
// needed once is moved, with its ids; others are copied, with names and decorations. Local variables of a function
// stand in its caller then; their initializers become stores where the call was. Code behind the call of a function
// that never returns goes.
//
// A call stays if the function returns at several places or from within a selection or loop (merge_returns.h), asks not
// to be inlined, calls itself, or has no body; if it ends the invocation or never returns and is called from the
// continue construct of a loop (SPIR-V 2.11: such constructs end where they branch back), or never returns and is
// called from the header of one; if it has several blocks and is called from the header of a loop that goes on in one
// of two ways. `places` say of code that it is inlined; a DebugFunctionDefinition is about a function, and not kept for
// code.
void inline_calls(Module& module, SourcePlaces& places);
// With lines and scopes in the code.
void inline_calls(Module& module);

}  // namespace varylink::spirv
