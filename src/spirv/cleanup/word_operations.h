// Single operations on 32-bit words, and on floats of 64 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// What the operation gives for one component: floats and integers as their bits, booleans as 0 or 1. `glsl` is the
// number of the GLSL.std.450 instruction if `op` is OpExtInst. None for operations that are not known here, and where
// the result depends on the device: denormal numbers, infinities and NaN, division by zero, remainders of or by what is
// negative, shifts by the width and more, conversions out of range, the smaller of 0 and -0.
std::optional<std::uint32_t> apply_to_words(spv::Op op, std::uint32_t glsl, std::span<const std::uint32_t> operands);

// The same for one component of floats of 64 bits: a sum, difference, product, quotient or negation, rounded to
// nearest.
std::optional<double> apply_to_doubles(spv::Op op, std::span<const double> operands);

// What a comparison of floats gives that are neither infinite nor NaN; none if `op` is something else.
std::optional<bool> compare_floats(spv::Op op, double a, double b);

// 0 or a number that is not denormal, infinite or NaN: what every device has.
bool is_plain_number(double value);

// What apply_to_words() gave is the exact result: however the module rounds, it is this one.
bool is_exact(spv::Op op, std::span<const std::uint32_t> operands, std::uint32_t result);

}  // namespace varylink::spirv
