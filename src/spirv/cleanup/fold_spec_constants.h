// Folds operations on constants in the global section, once specialization constants have got their values.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Makes constants of OpSpecConstantOp and OpSpecConstantComposite whose operands are constants, as far as
// ConstantFolder can compute them; the ids stay. Operations on a specialization constant that is still open stay, and
// so do those whose result SPIR-V leaves undefined, such as a division by 0.
void fold_spec_constants(Module& module);

}  // namespace varylink::spirv
