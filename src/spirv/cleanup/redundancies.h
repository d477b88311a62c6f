// The same computation twice.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Global value numbering: a value that was computed in the same way, with the same decorations, in a block that
// dominates this one becomes that value. What reads memory counts as the same only if nobody can write there; operands
// are compared in the order in which they stand. Every function has only blocks that are reachable, and the module is
// is_plain() (spirv/tools/clean_up_work.h).
void merge_redundancies(Module& module);

}  // namespace varylink::spirv
