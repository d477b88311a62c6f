// Takes interpolation out of an evaluation shader that interpolates one value with itself:
//
//   0.25 * c.x + 0.25 * c.y + 0.25 * c.z, c = gl_TessCoord    ->    0.25
//
// That is what is left where a constant or a uniform was found to be stored for all vertices. In the domain of
// triangles the weights sum to one, up to rounding. Built-in outputs, what is NoContraction and what ends in a
// discontinuity (unless allowed) are computed as they are.
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> sum_weights(link::Link& link, PassContext& context);

}  // namespace varylink::passes
