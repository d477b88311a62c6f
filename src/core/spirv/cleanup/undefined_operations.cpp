#include "spirv/cleanup/undefined_operations.h"

#include <array>
#include <cmath>

#include "spirv/ir/operations.h"

namespace varylink::spirv {
namespace {

using spv::Op;
using Result = std::optional<Bits>;

// With the sign of the dividend for a remainder, and that of the divisor for a modulo.
std::int64_t remainder(Formula formula, std::int64_t a, std::int64_t b) {
  if (b == -1) return 0;
  const std::int64_t rest = a % b;
  const bool goes_up = formula == Formula::modulo && rest != 0 && (rest < 0) != (b < 0);
  return goes_up ? rest + b : rest;
}

Result any_integer(Op op, const OperationRow& row, NumberType of, std::span<const Bits> x) {
  const bool by_zero = x.size() > 1 && x[1] == 0;
  switch (row.formula) {
    case Formula::divide: return by_zero ? ~Bits{0} : x[0];
    case Formula::remainder:
    case Formula::modulo:
      if (by_zero) return ~Bits{0};
      return static_cast<Bits>(remainder(row.formula, signed_value(x[0], of.width), signed_value(x[1], of.width)));
    case Formula::shift_left:
    case Formula::shift_right: return apply(op, 0, of, of, std::array{x[0], x[1] & (of.width - 1)});
    default: return std::nullopt;
  }
}

// A number that no integer of the width is, as the nearest that there is.
Result nearest_integer(bool is_signed, double value, std::uint32_t width) {
  const int bits = static_cast<int>(width);
  if (std::isnan(value)) return 0;
  if (!is_signed) {
    if (value < 0) return 0;
    return value >= std::ldexp(1.0, bits) ? Result(~Bits{0}) : std::nullopt;
  }
  const Bits least = Bits{1} << (width - 1);
  const double limit = std::ldexp(1.0, bits - 1);
  if (value >= limit) return least - 1;
  return value <= -limit ? Result(least) : std::nullopt;
}

// Between bounds in the wrong order: the upper one.
Result any_clamp(const OperationRow& row, NumberType of, std::span<const Bits> x) {
  const auto is_below = [&](auto upper, auto lower) { return upper < lower ? Result(x[2]) : std::nullopt; };
  if (row.reads(Reading::floating)) return is_below(float_value(x[2], of.width), float_value(x[1], of.width));
  if (row.reads(Reading::uint)) return is_below(x[2], x[1]);
  return is_below(signed_value(x[2], of.width), signed_value(x[1], of.width));
}

Result any_bits(Op op, std::uint32_t glsl, NumberType result, NumberType of, std::span<const Bits> operands) {
  const OperationRow& row = row_of(op, glsl);
  if (operands.size() != row.operand_count) return std::nullopt;
  if (row.formula == Formula::clamp) return any_clamp(row, of, operands);
  if (row.formula == Formula::convert && row.reads(Reading::floating) && row.result == Reading::integer)
    return nearest_integer(op == Op::OpConvertFToS, float_value(operands[0], of.width), result.width);
  return of.kind == NumberType::Kind::integer ? any_integer(op, row, of, operands) : std::nullopt;
}

}  // namespace

std::optional<Bits> any_result(Op op, std::uint32_t glsl, NumberType result, NumberType of,
                               std::span<const Bits> operands) {
  if (operands.empty() || apply(op, glsl, result, of, operands)) return std::nullopt;
  const Result bits = any_bits(op, glsl, result, of, operands);
  return bits ? Result(low_bits(*bits, result.width)) : std::nullopt;
}

}  // namespace varylink::spirv
