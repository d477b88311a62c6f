// Branches that are decided.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// A branch on a constant becomes a branch to where it goes, and blocks that only its other ways led to go with them
// (unreachable_blocks.h). The selection that it headed ends to be one: a conditional branch out of it becomes the
// header of the blocks that are left; a switch that is also left from within further constructs stays, with one way. A
// loop that does not go back any more ends to be one in the same way, or keeps its decided way back. Nothing else of
// control flow changes, and no arithmetic (rule ).
void remove_dead_branches(Module& module);

}  // namespace varylink::spirv
