// What the sides of a branch have in common.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// What every block that a branch goes to computes in the same way, and what then meets in a phi, is computed in front
// of the branch and takes the place of the phi (rule ): arithmetic, and loads of what nobody can write to. What
// the other sides computed stays, for merge_redundancies() or dead code removal. Returns whether something changed.
bool hoist_common_values(Module& module);

}  // namespace varylink::spirv
