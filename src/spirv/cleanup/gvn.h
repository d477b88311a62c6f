// The same computation twice.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Global value numbering: a value that was computed in the same way, with the same decorations, in a block that
// dominates this one becomes that value. Loads count as the same only if nothing can write the memory; operands are
// compared in the order in which they stand. Blocks that nothing reaches stay as they are.
void gvn(Module& module);

}  // namespace varylink::spirv
