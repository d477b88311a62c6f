// Unrolling where, and only where, it makes the index of a varying constant.
#pragma once

#include "link/model/linked_stage.h"

namespace varylink::prepare {

// Unrolls every loop that indexes a user varying with something that is not constant and whose trip count looks small,
// inner ones first, and folds the counters. A step after which the module would be too large is not made. With
// `local_arrays` the same goes for loops that index local arrays, which may be copies of varyings; without it for those
// that index local arrays into which inputs were copied, if fewer components of inputs are needed then.
void unroll_loops_over_varyings(link::LinkedStage& stage, bool local_arrays);

}  // namespace varylink::prepare
