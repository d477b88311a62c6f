// What is computed from constants in the global section, once specialization constants have got their values.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Makes constants of OpSpecConstantOp and OpSpecConstantComposite whose operands are constants, as far as
// ConstantFolder can tell what they are; the ids stay. What a specialization constant is still open of stays, and so
// does what SPIR-V leaves undefined, such as a division by 0.
void fold_spec_constants(Module& module);

}  // namespace varylink::spirv
