// Arrays of a mesh stage of which some elements are never stored.
//
// lavapipe, seen in Mesa 25.0, counts the locations of an output array by its stores and those of the input by its
// declaration: the variables behind such an array are read from other places.
#pragma once

#include "verify/shader.h"

namespace varylink::verify {

// Whether a mesh stage stores some elements or members of an output, and others nowhere.
bool has_mesh_array_gaps(const Shader& shader);

}  // namespace varylink::verify
