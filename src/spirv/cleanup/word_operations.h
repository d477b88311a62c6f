// Single operations on 32-bit words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// What the operation gives for one component: floats and integers as their bits, booleans as 0 or 1. `glsl` is the
// number of the GLSL.std.450 instruction if `op` is OpExtInst. None for operations that are not known here, and where
// the result depends on the device: denormal numbers, infinities and NaN, division by zero, shifts by the width and
// more, conversions out of range, the smaller of 0 and -0.
std::optional<std::uint32_t> apply_to_words(spv::Op op, std::uint32_t glsl, std::span<const std::uint32_t> operands);

// What apply_to_words() gave is the exact result: however the module rounds, it is this one.
bool is_exact(spv::Op op, std::span<const std::uint32_t> operands, std::uint32_t result);

}  // namespace varylink::spirv
