// Finds values whose rounding at the interface shows.
//
//   vertex    w = a * b;                    fragment    if (w - c == 0) ...
//
// A value that crosses is rounded. If one stage computes both operations, a compiler may fuse them into one
// multiplication and addition with one rounding, unless the operation is NoContraction (rule ).
#pragma once

#include <vector>

#include "link/model/linked_stage.h"

namespace varylink::link {

// By id: the consumer shows how the value was rounded. So do values that reach a discontinuity
// (analysis/discontinuity.h), unless the user lets rounding cross these; operands of precise arithmetic; and, in front
// of the rasterizer, values that reach a built-in output. All values do in a stage that captures or has a capturing
// stage behind it, and in a control stage, of whose outputs the evaluation stage makes positions. Values are not
// followed across another interface.
std::vector<bool> keeps_rounding(const LinkedStage& consumer, bool interpolates, bool crosses_discontinuities);

}  // namespace varylink::link
