// Which invocations store an output: decides whether its vectors may be rewritten as a whole (rule ).
//
// Two invocations may store two components of one vector at the same time. Then neither may store the other's
// component, nor may their components be joined to one vector if they were separate variables.
#pragma once

#include "spirv/ir/stage.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::varyings {

// Outputs of this stage are private to an invocation until its exits and emits. Those of control and mesh stages are
// memory of a patch or workgroup.
bool has_private_outputs(Stage stage);

// Whether an index of a control output is the number of the invocation, perhaps with another sign.
bool is_own_invocation(const spirv::Module& module, spirv::Id index);

// Whether one invocation makes all stores to an output, or, of a per-vertex array, all stores to each vertex. Such a
// vector may be stored in parts, in any order, and as a whole. A control stage stores a per-vertex output at
// gl_InvocationID (rule ); patch and mesh outputs are shared. False if a use of the variable is unsupported.
bool has_one_owner(const spirv::Module& module, Stage stage, bool is_per_vertex, const VariableAccesses& accesses);

// The InvocationId variable, if a per-vertex output of a control stage has one owner and is never loaded; else 0. An
// output that is never loaded may be stored at the end, past any barrier.
spirv::Id invocation_of_stores(const spirv::Module& module, const VariableAccesses& accesses);

}  // namespace varylink::varyings
