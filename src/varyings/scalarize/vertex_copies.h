// Local copies of per-vertex inputs, as HLSL and Slang compilers write them (InputPatch, triangle V v[3]), read from
// the inputs themselves.
//
//   V v[3] = { V(p[0], n[0]), V(p[1], n[1]), V(p[2], n[2]) };
//   ... v[i].n ...                                                 ->     ... n[i] ...
//
// Members of the copy without a load are then inputs without a load (rule ).
#pragma once

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// Rewrites the loads of every local variable that holds nothing but per-vertex inputs, each part stored at one place
// and in the order of the vertices where an index is dynamic; the copy goes. Locals that are passed on, stored in part
// by a dynamic index, or filled with anything else stay as they are. Functions are inlined, and variables that can be
// values are values. Returns whether something changed.
bool read_vertices_directly(spirv::Module& module, const Entry& entry);

}  // namespace varylink::varyings
