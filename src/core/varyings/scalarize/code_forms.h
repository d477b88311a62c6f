// Forms of code in which more varyings can be scalarized, or more components can go: one rewrite per source file.
#pragma once

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// lower_initializers.cpp: Initializers of outputs as the stores that they stand for, so that nothing else has to know
// about initializers.
//
//   %v = OpVariable %ptr Output %initial    ->    %v = OpVariable %ptr Output
//                                                 main: OpStore %v[0] %initial[0]  OpStore %v[1] %initial[1] ...

// Takes the initializers off the outputs of the entry point and stores them where it starts, one scalar or vector at a
// time (rule ). Outputs that invocations share keep theirs, which every invocation of a workgroup or patch would
// store again: those of tessellation control and mesh stages. So does an array whose length a specialization constant
// decides.
void lower_initializers(spirv::Module& module, const Entry& entry);

// vertex_copies.cpp: Local copies of per-vertex inputs, as HLSL and Slang compilers write them (InputPatch, triangle V
// v[3]), read from the inputs themselves.
//
//   V v[3] = { V(p[0], n[0]), V(p[1], n[1]), V(p[2], n[2]) };
//   ... v[i].n ...                                                 ->     ... n[i] ...
//
// Members of the copy without a load are then inputs without a load (rule ).

// Rewrites the loads of every local variable that holds nothing but per-vertex inputs, each part stored at one place
// and in the order of the vertices where an index is dynamic; the copy goes. Locals that are passed on, stored in part
// by a dynamic index, or filled with anything else stay as they are. Functions are inlined, and variables that can be
// values are values. Returns whether something changed.
bool read_vertices_directly(spirv::Module& module, const Entry& entry);

// vertex_loads.cpp: Loads of whole per-vertex arrays, as DXC writes them, split vertex by vertex.
//
//   %all = OpLoad %arr %input          ->     %v0 = OpLoad %T %input[0]  ...  %all = OpCompositeConstruct %arr %v0 %v1
//   %v2
//
// Each vertex can then be scalarized, and components without a use go (rule ).

// Whether some function of the module loads a per-vertex array (user-defined or built-in) of the entry point as a
// whole: an input of a tessellation or geometry stage, raw values of a fragment stage, or an output that a tessellation
// control stage reads back.
bool loads_whole_vertex_array(const spirv::Module& module, const Entry& entry);

// Whether some function of the module loads an array that is an input, or a part of one, as a whole: a copy of it to a
// local variable starts with such a load.
bool loads_array_of_input(const spirv::Module& module);

// Rewrites all loads of whole per-vertex arrays in place. Volatile ones stay.
void split_vertex_array_loads(spirv::Module& module, const Entry& entry);

// output_copies.cpp: Local arrays that are copied to outputs, as compilers write functions that return a structure,
// written as the outputs themselves.
//
//   vec4 v[3]; for (i ...) v[i] = f(i); out = v;     ->     for (i ...) out[i] = f(i);
//
// Loops that fill them are then loops over varyings (rule ), and each element has a store of its own.

// Replaces every local array or structure of the entry point that is only stored to, and then loaded once, as a whole,
// to be the one store of an output variable (rule ). Only stages whose outputs no other invocation sees before
// the invocation ends: vertex and tessellation evaluation. Functions are inlined. Returns whether something changed;
// the local variable and the load are left to be cleaned up.
bool write_outputs_directly(spirv::Module& module, const Entry& entry);

// own_stores.cpp: Loads by which a control stage reads back values that the same invocation stored.
//
//   out[gl_InvocationID].color = c;                         out[gl_InvocationID].color = c;
//   x = out[gl_InvocationID].color * 2.0;         ->        x = c * 2.0;
//
// An output without a load belongs to the interface alone (rules ): components that the next stage does not
// read go, and the rest is an output like any other.

// Barriers order different invocations only: no other invocation stores to the vertex of an invocation, so that its own
// loads of it get local variables on any path (rule ). Patch outputs are everybody's: a load gets the value of a
// store before it in the same block, to all of what it loads, if no barrier, call or other store there is in between.
// True if loads went; locals that are worth promoting are left behind then. Only modules with one function are changed.
bool forward_own_stores(spirv::Module& module, const Entry& entry);

// payload_copies.cpp: Copies of the whole task payload split member by member, so that members can go on their own.
//
//   %p = OpLoad %Payload %payload    ->    %p0 = OpLoad %T0 %payload[0] ...  %p = OpCompositeConstruct %Payload %p0 ...
//   OpStore %payload %p              ->    %p0 = OpCompositeExtract %T0 %p 0  OpStore %payload[0] %p0 ...

// Rewrites all loads and stores of a whole payload structure in place, copies between memory first. Volatile ones stay.
void split_payload_copies(spirv::Module& module, const Entry& entry);

// results_in_locals.cpp: Results of the last stage kept in local variables until they are complete.

// Gives outputs of a fragment shader (user-defined or built-in) a local variable, which is stored to the
// output behind the store that is the last on every path, or else where the entry point returns: those that are read
// back, and those of which a store is overwritten on every path. The SSA clean-up turns these locals into values, and
// then only values that are really drawn keep their inputs alive. Where every store is drawn on some path all of them
// stay where they are (rule ): behind a merge they would cost, and win nothing. Declarations stay as they are.
//
// Only scalars and vectors that are written completely on every path to a return: where a path leaves a component
// unwritten it is undefined, and should stay as the driver makes it. Nothing is changed if the module has more than one
// function.
void keep_results_in_locals(spirv::Module& module, const Entry& entry);

}  // namespace varylink::varyings
