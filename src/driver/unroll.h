// Unrolling where, and only where, it makes the index of a varying constant.
#pragma once

#include "link/linked_stage.h"

namespace varylink::driver {

// Marks every loop that indexes a user varying with something that is not constant and whose trip count looks small.
// Returns false if there is none.
bool mark_loops_over_varyings(link::LinkedStage& stage);

// Unrolls the marked loops and folds their counters. The module stays as it was if it would grow too much.
void unroll_marked(link::LinkedStage& stage);

}  // namespace varylink::driver
