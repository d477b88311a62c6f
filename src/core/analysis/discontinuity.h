// Values that end in a discontinuity (rule ).
#pragma once

#include <vector>

#include "spirv/ir/module.h"

namespace varylink::analysis {

// By id: some comparison, rounding, conversion to integers, texel address, or memory depends on the value, so that a
// difference in its last bit can make any difference in the picture. Conservative: everything that is stored to local
// or shared memory counts.
std::vector<bool> reaches_discontinuity(const spirv::Module& module, const spirv::Function& function);

// By id: no rounding moves in front of the code that the value ends in: discontinuities, or, where the user lets
// rounding cross them, only reads of bits (analysis/read_bits.h).
std::vector<bool> stops_rounding(const spirv::Module& module, const spirv::Function& function,
                                 bool crosses_discontinuities);

}  // namespace varylink::analysis
