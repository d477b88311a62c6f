// Products of a matrix and a vector, written out.
#pragma once

#include <array>

#include "spirv/ir/emitter.h"
#include "spirv/ir/module.h"

namespace varylink::spirv {

// Multiplies the columns of `matrix`, two or more, by the components of `vector` and adds them up from the last column
// to the first, as drivers do. Returns the operands of the last OpFAdd, of type `type`, which is the caller's.
std::array<Operand, 2> sum_of_columns(const Module& module, Emitter& emitter, Id type, Id matrix, Id vector);

}  // namespace varylink::spirv
