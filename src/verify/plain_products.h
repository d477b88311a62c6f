// Products of matrices and vectors as sums of columns and as dot products.
//
// Whether a driver rounds in between is its own affair (Mesa 24 and later fuse multiplications and additions here and
// nowhere else), so that a pipeline whose linked form computes only some rows would differ in the last bit.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::verify {

// Writes each OpMatrixTimesVector and OpMatrixTimesMatrix out, the last column of the first matrix first, and each
// OpVectorTimesMatrix.
void write_out_products(spirv::Module& module);

}  // namespace varylink::verify
