// Products with a matrix of which only a part is needed.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Writes out products of a matrix that was put together in this stage and a vector, where some components of the result
// are not needed, so that the columns and components that only feed those can go: vec3(tangent_space * v) with a mat4
// needs three rows of it. Sums are taken from the last column to the first, as drivers do. Matrices that are products
// of such a matrix, its transpose or an outer product become their columns where not all of them are needed. Products
// with NoContraction stay. Returns true if something changed.
bool write_out_partial_products(Module& module);

}  // namespace varylink::spirv
