// Loads of whole per-vertex arrays, as DXC writes them, split vertex by vertex.
//
//   %all = OpLoad %arr %input          ->     %v0 = OpLoad %T %input[0]  ...  %all = OpCompositeConstruct %arr %v0 %v1
//   %v2
//
// Each vertex can then be scalarized, and components without a use go (rule ).
#pragma once

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// Whether some function of the module loads a per-vertex array (user-defined or built-in) of the entry point as a
// whole: an input of a tessellation or geometry stage, raw values of a fragment stage, or an output that a tessellation
// control stage reads back.
bool loads_whole_vertex_array(const spirv::Module& module, const Entry& entry);

// Whether some function of the module loads an array that is an input, or a part of one, as a whole: a copy of it to a
// local variable starts with such a load.
bool loads_array_of_input(const spirv::Module& module);

// Rewrites all loads of whole per-vertex arrays in place. Volatile ones stay.
void split_vertex_array_loads(spirv::Module& module, const Entry& entry);

}  // namespace varylink::varyings
