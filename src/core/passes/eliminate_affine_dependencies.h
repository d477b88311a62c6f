// Components that are affine combinations of others are computed from these in the fragment shader:
//
//   out a = x + y, b = y + z, c = x - z;   in a, b, c;   ->   out a, b;   c = a - b;
//
// Interpolation is affine, so that combinations of values interpolated alike may be taken behind it. Constants and
// uniforms that the consumer reads as well are coefficients and offsets. The components still sent are some of those
// sent before: the producer never computes more.
//
// Acts only within one class of interpolation. Never recomputed: values that are NoContraction or captured, that end in
// a discontinuity (unless allowed) or that instructions interpolate, full precision from RelaxedPrecision, anything
// where infinities and signed zeros are to be kept. The sum must be well conditioned (graph/affine_basis.h) and cost no
// more than a component is worth (graph/value_cost.h). Pre-rasterization consumers are left alone: one ulp more could
// open cracks there.
//
// Wins 84 of 5,040 components of three.js and 10 elsewhere, in 4 pipelines (bench/README.md).
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> eliminate_affine_dependencies(link::Link& link, PassContext& context);

}  // namespace varylink::passes
