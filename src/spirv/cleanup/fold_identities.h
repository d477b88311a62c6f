// Algebra with neutral and absorbing elements: x * 0, x * 1, x + 0, mix(a, b, 0), mix(0, b, c), dot(v, (0, 1, 1)), and
// the like.
//
// Each rule holds exactly for finite numbers up to the sign of zero. Vulkan lets an implementation assume that unless
// the entry point asks for SignedZeroInfNanPreserve ("Precision and Operation of SPIR-V Instructions").
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// The module leaves infinities, NaN and the sign of zero to the implementation: no SignedZeroInfNanPreserve, no
// FPFastMathDefault.
bool allows_identities(const Module& module);

// Applies the rules to instructions without NoContraction. The caller has asked allows_identities(). Returns true if
// something changed.
bool fold_identities(Module& module);

}  // namespace varylink::spirv
