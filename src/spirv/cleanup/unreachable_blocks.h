// Blocks that nothing reaches.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Removes blocks that nothing reaches, and the operands of phis that came from there or from a branch that is gone; a
// phi of one value becomes that value. A header that stays names its merge block and its continue target: of these, if
// nothing reaches them, OpUnreachable and the way back stay. Blocks stand behind those that dominate them (SPIR-V 2.4).
void remove_unreachable_blocks(Module& module);

}  // namespace varylink::spirv
