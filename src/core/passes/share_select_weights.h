// Components that choose between two uniforms or constants alike are sent as one weight:
//
//   if (p.y < h) fog = vec3(0); else fog = color;     ->   out float w = p.y < h ? 0 : 1;   in:  w * color
//
// The weight is 0 or 1 at the vertices. Interpolation is affine, so that weighing may come behind it.
//
// Acts on 32-bit floats, within one class of interpolation, where the producer stores once. One of the two things is 0,
// or both are constants of like size: of two sizes the weight would lose the small one. Never changed: values that are
// NoContraction or captured, that end in a discontinuity (unless allowed) or that instructions interpolate, anything
// where infinities and signed zeros are to be kept. Full precision is not computed from RelaxedPrecision.
//
// Wins 2 of 54 components and one of 19 locations of Warzone 2100, whose fog is a color or nothing (bench/README.md).
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> share_select_weights(link::Link& link, PassContext& context);

}  // namespace varylink::passes
