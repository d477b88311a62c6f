// Products of matrices and vectors as sums of products.
//
// Whether a driver rounds in between is its own affair (Mesa 24 and later fuse multiplications and additions here and
// nowhere else), so that a pipeline whose linked form computes only some rows would differ in the last bit. So is the
// order of a dot product: Mesa 22.3 leaves a factor out that it sees to be zero, and adds up the rest in another order.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::verify {

// Writes each OpMatrixTimesVector and OpMatrixTimesMatrix out, the last column of the first matrix first, and each
// OpVectorTimesMatrix and OpDot, the first components first.
void write_out_products(spirv::Module& module);

}  // namespace varylink::verify
