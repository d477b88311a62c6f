// Loads by which a control stage reads back values that the same invocation stored.
//
//   out[gl_InvocationID].color = c;                         out[gl_InvocationID].color = c;
//   x = out[gl_InvocationID].color * 2.0;         ->        x = c * 2.0;
//
// An output without a load belongs to the interface alone (rules ): components that the next stage does not
// read go, and the rest is an output like any other.
#pragma once

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// Barriers order different invocations only: no other invocation stores to the vertex of an invocation, so that its own
// loads of it get local variables on any path (rule ). Patch outputs are everybody's: a load gets the value of a
// store before it in the same block, to all of what it loads, if no barrier, call or other store there is in between.
// True if loads went; locals that are worth promoting are left behind then. Only modules with one function are changed.
bool forward_own_stores(spirv::Module& module, const Entry& entry);

}  // namespace varylink::varyings
