// Constants in inputs that stay whole vectors because an InterpolateAt instruction needs a pointer to them.
//
//   vert: v = vec4(1, 0, 0, 1);   frag: interpolateAtSample(v, s)     ->      frag: vec4(1, 0, 0, 1)
//
// Wherever it is interpolated, a constant is that constant (rules F1 and F3), under the same conditions as a plain
// read.
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

// Part of propagate-constants. Vectors and scalars only; all components must be constant, in all producers. What
// transform feedback captures stays on both sides, and so does what is interpolated at an offset.
Progress propagate_whole_constants(link::Link& link, PassContext& context);

}  // namespace varylink::passes
