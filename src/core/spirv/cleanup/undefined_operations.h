// Operations on constants that SPIR-V and Vulkan leave undefined.
#pragma once

#include "spirv/cleanup/number_operations.h"

namespace varylink::spirv {

// A result for operands of which apply() gives none since no result is defined: of quotients, remainders, shifts,
// conversions to integers and clamps between bounds in the wrong order (rule ). None for all others. Compilers
// behind have died of such operations on literals, so that none is left to them.
std::optional<Bits> any_result(spv::Op op, std::uint32_t glsl, NumberType result, NumberType of,
                               std::span<const Bits> operands);

}  // namespace varylink::spirv
