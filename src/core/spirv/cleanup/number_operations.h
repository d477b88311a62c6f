// Single operations on numbers of 8, 16, 32 and 64 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// The type of one component. Whether an integer is signed says the operation.
struct NumberType {
  enum class Kind : std::uint8_t { boolean, integer, floating };
  Kind kind = Kind::integer;
  std::uint32_t width = 32;  // in bits; 1 for booleans
  friend bool operator==(const NumberType&, const NumberType&) = default;
};

// None for types that are no number and no boolean, and for other encodings and widths of floats than those of IEEE 754
// with 16, 32 and 64 bits.
std::optional<NumberType> number_type(const Module& module, Id scalar_type);

// A number in the low bits of a word, the bits above it 0.
using Bits = std::uint64_t;

Bits low_bits(Bits value, std::uint32_t width);

// The number that an integer of that width is to a signed operation.
std::int64_t signed_value(Bits bits, std::uint32_t width);

// The number that a scalar literal constant is; none for anything else, specialization constants included.
std::optional<Bits> constant_bits(const Module& module, Id constant);

// A float of 16, 32 or 64 bits as a number, and the float of that width that is nearest to a number; none if it is out
// of range or no number.
double float_value(Bits bits, std::uint32_t width);
std::optional<Bits> nearest_float(double value, std::uint32_t width);

// The result of the operation for one component. `of`: the type of the first operand; `glsl`: the number of the
// GLSL.std.450 instruction if `op` is OpExtInst. None for operations that are not known here, and where the result
// depends on the device: denormal numbers, infinities and NaN, division by zero, remainders of or by negative numbers,
// shifts by the width and more, conversions out of range, the smaller of 0 and -0.
std::optional<Bits> apply(spv::Op op, std::uint32_t glsl, NumberType result, NumberType of,
                          std::span<const Bits> operands);

// True if `bits`, the result of apply(), is exact: every rounding mode gives it.
bool is_exact(spv::Op op, NumberType result, NumberType of, std::span<const Bits> operands, Bits bits);

}  // namespace varylink::spirv
