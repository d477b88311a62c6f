// Gives the consumer the constant that every producer stores.
//
//   out float k;  k = 0.5;      in float k;  f(k)        ->        f(0.5)
//
// Constants are compared by bits (rule ). The value that a fragment shader sees moves from the interpolation of
// three equal numbers by hardware to the number itself, which Vulkan allows (rules ). A path that does
// not store leaves the output undefined, so it does not count against the constant (rule ). Specialization
// constants are not constants: each stage may be specialized on its own (rule ). A captured output keeps its
// stores and only loses its reader. Special float values are left alone where the fragment shader spells out its float
// environment (FPFastMathDefault), because its loads are then not licensed to lose them.
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> propagate_constants(link::Link& link, PassContext& context);

}  // namespace varylink::passes
