// Stores of a mesh stage to parts of vectors, as stores of whole vectors.
//
//   v[i].x = a;      ->   w[i].x = a; v[i] = w[i];      (w: shared by the workgroup, or private if it is large)
//   v[i].y = b;           w[i].y = b; v[i] = w[i];
//
// lavapipe, seen in Mesa 25.0, loses components otherwise. With the rewrite the last store has all components stored
// before. An output with stores of whole vectors only is drawn as it is: linking keeps that (rule ), and the
// rewrite would hide a result that does not.
#pragma once

#include "varyings/reflect/interface_variable.h"

namespace varylink::verify {

// Whether the code of a mesh stage stores single components of an output.
bool stores_parts_of_vectors(spirv::Module& module);

// Rewrites the outputs of a mesh stage of which some code stores single components, if all code that reaches them is
// understood.
void store_whole_vectors(spirv::Module& module, const varyings::Entry& entry);

}  // namespace varylink::verify
