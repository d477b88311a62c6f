// Loops whose body has become their continue construct.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Merging of blocks (merge_blocks.h) joins a loop's body with its continue target where nothing else stands between
// them. The result is valid (SPIR-V 2.11.2), but lavapipe of Mesa 22.3 then runs the body once too often for
// invocations that have left the loop while their neighbours go on. Such a continue target becomes an ordinary block
// again, in front of a new one that only branches back. Returns whether something changed.
bool restore_loop_bodies(Module& module);

}  // namespace varylink::spirv
