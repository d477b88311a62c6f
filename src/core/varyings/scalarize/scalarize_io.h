// Scalarizes the interface variables of one side of a stage, as a plan says.
//
//   out vec4 color;  ...  color = v;          out float color.x @0.0 ... color.w @0.3
//                                        ->   at each exit: four stores of scalars
//   in vec4 color;   ...  f(color.xy);        in float color.x @0.0, ...
//                                        ->   at the start: one load each; f(vec2(x, y))
//
// Outputs go through local variables, which the SSA clean-up that follows turns into values, so that early
// returns, partial writes and reading an output back need no special care anywhere else.
#pragma once

#include <vector>

#include "varyings/scalarize/scalarize_plan.h"
#include "varyings/scalarize/varying.h"

namespace varylink::varyings {

// Rewrites `module` in place. Returns the varyings of this side, in the order of the declarations.
// `side` must come from plan_side() on this very module, reconciled with the other side. Variables that were taken
// apart are gone afterwards; fixed ones are untouched.
std::vector<Varying> scalarize_io(spirv::Module& module, const Entry& entry, const SidePlan& side);

}  // namespace varylink::varyings
