// Local arrays that are copied to outputs, as compilers write functions that return a structure, written as the outputs
// themselves.
//
//   vec4 v[3]; for (i ...) v[i] = f(i); out = v;     ->     for (i ...) out[i] = f(i);
//
// Loops that fill them are then loops over varyings (rule ), and each element has a store of its own.
#pragma once

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// Replaces every local array or structure of the entry point that is only stored to, and then loaded once, as a whole,
// to be the one store of an output variable (rule ). Only stages whose outputs no other invocation sees before
// the invocation ends: vertex and tessellation evaluation. Functions are inlined. Returns whether something changed;
// the local variable and the load are left to be cleaned up.
bool write_outputs_directly(spirv::Module& module, const Entry& entry);

}  // namespace varylink::varyings
