// Linear interpolations that begin at a constant.
#pragma once

#include <functional>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// mix(1, b, c) of 32-bit floats becomes (1 - c) + b * c, as GLSL.std.450 defines it: where the constant is plain
// compilers take a + c * (b - a), one operation more for each component. The two are rounded differently, so that a mix
// stays where `keeps_rounding` holds of its id, and with NoContraction. The caller has asked allows_identities().
// Returns true if something changed.
bool write_out_mixes(Module& module, const std::function<bool(Id)>& keeps_rounding);

}  // namespace varylink::spirv
