// Moves code across an interface, in both directions, so that the fewest values cross it.
//
//   out vec3 a, b;   in vec3 a, b;  f(a + b * k)    ->    out vec3 m = a + b * k;   f(m)
//   out x = v + 1, y = v * 2;  in x, y;             ->    out v;   x = v + 1; y = v * 2;
//
// Both stages' scalar values are one graph (graph/value.h). Every value that only the producer can have and that
// reaches something only the consumer can do has to cross in some form: the least set of values that lies on all these
// ways is a minimum vertex cut, which graph/max_flow.h finds. Dead values, constants and duplicates are special cases.
//
// Pure scalar arithmetic may move (rules ). Arithmetic over interpolated values moves only if it commutes
// with interpolation (graph/interpolation_class.h), is not NoContraction, the consumer does not ask for infinities and
// NaN to be kept, and no discontinuity lies behind it. Built-in outputs and values that feed them stay as they are:
// only stores of varyings come and go.
//
// Outputs that are arrays, or memory that invocations share (control and mesh shaders), are combined where the same
// code stores all of them to the same vertex, primitive or patch.
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> inter_stage_code_motion(link::Link& link, PassContext& context);

}  // namespace varylink::passes
