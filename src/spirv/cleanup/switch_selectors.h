// Selectors of switches that readers of SPIR-V can name.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Some OpSwitch selects by an OpSpecConstantOp itself.
bool switches_on_spec_constant_op(const Module& module);

// Lets each of these select by a copy (OpCopyObject) in front of it. Valid as it is, such a switch is refused by
// spirv-cross (up to 2021-01-15, of Debian 12), and compilers of GLSL do not write it: it comes from inlining.
void copy_spec_selectors(Module& module);

}  // namespace varylink::spirv
