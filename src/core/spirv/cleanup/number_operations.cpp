#include "spirv/cleanup/number_operations.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "spirv/ir/evaluate.h"

namespace varylink::spirv {
namespace {

using spv::Op;
using Result = std::optional<Bits>;

// ---- integers

// As the row reads its operands. None where SPIR-V or Vulkan leave the result undefined, of remainders of or by what is
// negative, too (Vulkan, Precision and Operation of SPIR-V Instructions).
struct Integers {
  using Result = Bits;
  bool is_signed;
  std::uint32_t width;

  std::int64_t number(Bits x) const { return signed_value(x, width); }
  bool less(Bits a, Bits b) const { return is_signed ? number(a) < number(b) : a < b; }
  bool less_equal(Bits a, Bits b) const { return !less(b, a); }
  bool greater(Bits a, Bits b) const { return less(b, a); }
  bool greater_equal(Bits a, Bits b) const { return !less(a, b); }
  bool equal(Bits a, Bits b) const { return a == b; }
  bool not_equal(Bits a, Bits b) const { return a != b; }

  Bits negate(Bits x) const { return Bits{0} - x; }
  Bits complement(Bits x) const { return ~x; }
  Bits add(Bits a, Bits b) const { return a + b; }
  Bits subtract(Bits a, Bits b) const { return a - b; }
  Bits multiply(Bits a, Bits b) const { return a * b; }
  std::optional<Bits> divide(Bits a, Bits b) const {
    if (b == 0) return std::nullopt;
    if (!is_signed) return a / b;
    if (a == Bits{1} << (width - 1) && number(b) == -1) return std::nullopt;
    return static_cast<Bits>(number(a) / number(b));
  }
  std::optional<Bits> modulo(Bits a, Bits b) const {
    if (b == 0 || (is_signed && (number(a) < 0 || number(b) < 0))) return std::nullopt;
    return a % b;
  }
  std::optional<Bits> remainder(Bits a, Bits b) const { return modulo(a, b); }

  Bits bit_and(Bits a, Bits b) const { return a & b; }
  Bits bit_or(Bits a, Bits b) const { return a | b; }
  Bits bit_xor(Bits a, Bits b) const { return a ^ b; }
  // The number of places is unsigned, and may have another width.
  std::optional<Bits> shift_left(Bits x, Bits places) const {
    return places < width ? std::optional(x << places) : std::nullopt;
  }
  std::optional<Bits> shift_right(Bits x, Bits places) const {
    if (places >= width) return std::nullopt;
    return is_signed ? static_cast<Bits>(number(x) >> places) : x >> places;
  }

  Bits minimum(Bits a, Bits b) const { return less(b, a) ? b : a; }
  Bits maximum(Bits a, Bits b) const { return less(a, b) ? b : a; }
  std::optional<Bits> clamp(Bits x, Bits low, Bits high) const {
    return less(high, low) ? std::nullopt : std::optional(less(x, low) ? low : less(high, x) ? high : x);
  }
};

// ---- floats, all as double, which holds those of 16 and 32 bits

struct FloatFormat {
  int precision;           // bits of the significand, the leading one included
  int least_unit;          // binary exponent of the least denormal number
  double least, greatest;  // normal numbers
};

FloatFormat format_of(std::uint32_t width) {
  if (width == 64) return {53, -1074, std::numeric_limits<double>::min(), std::numeric_limits<double>::max()};
  if (width == 32)
    return {24, -149, double{std::numeric_limits<float>::min()}, double{std::numeric_limits<float>::max()}};
  return {11, -24, 0x1p-14, 65504};
}

// 0 or a number that is not denormal, infinite or NaN: what every device has.
bool is_plain(double value, std::uint32_t width) {
  const FloatFormat format = format_of(width);
  return value == 0 || (std::abs(value) >= format.least && std::abs(value) <= format.greatest);
}

// The nearest number of that width.
double rounded(double value, std::uint32_t width) {
  if (width == 64 || value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const FloatFormat format = format_of(width);
  const double unit = std::ldexp(1.0, std::max(exponent - format.precision, format.least_unit));
  return std::nearbyint(value / unit) * unit;
}

// Of a finite number of that width.
Bits float_bits(double value, std::uint32_t width) {
  if (width == 64) return std::bit_cast<Bits>(value);
  if (width == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const Bits sign = std::signbit(value) ? 0x8000u : 0;
  if (value == 0) return sign;
  const auto units = static_cast<Bits>(std::ldexp(std::abs(value), 24));  // of the least denormal number
  if (units < 1024) return sign | units;
  int exponent = 0;
  const double significand = std::frexp(std::abs(value), &exponent);  // in [0.5, 1)
  return sign | static_cast<Bits>(exponent + 14) << 10 | (static_cast<Bits>(std::ldexp(significand, 11)) - 1024);
}

Result float_result(double value, std::uint32_t width) {
  const double nearest = rounded(value, width);
  return is_plain(nearest, width) ? Result(float_bits(nearest, width)) : std::nullopt;
}

// Comparisons of floats that are neither infinite nor NaN.
struct FloatComparisons {
  using Result = bool;
  bool equal(double a, double b) const { return a == b; }
  bool not_equal(double a, double b) const { return a != b; }
  bool less(double a, double b) const { return a < b; }
  bool less_equal(double a, double b) const { return a <= b; }
  bool greater(double a, double b) const { return a > b; }
  bool greater_equal(double a, double b) const { return a >= b; }
};

// Sums and products of floats of at most 32 bits, rounded to double first, are then rounded to what they are rounded to
// at once: a double has more than twice the bits (Figueroa, "When is Double Rounding Innocuous?").
struct Floats {
  using Result = double;
  using Number = std::optional<double>;

  // 0 and -0 are equal; which one is the smaller depends on the device.
  static bool is_ordered(double a, double b) { return a != b || std::signbit(a) == std::signbit(b); }

  double negate(double x) const { return -x; }
  double convert(double x) const { return x; }
  double add(double a, double b) const { return a + b; }
  double subtract(double a, double b) const { return a - b; }
  double multiply(double a, double b) const { return a * b; }
  Number divide(double a, double b) const { return b == 0 ? std::nullopt : Number(a / b); }
  Number minimum(double a, double b) const { return is_ordered(a, b) ? Number(std::min(a, b)) : std::nullopt; }
  Number maximum(double a, double b) const { return is_ordered(a, b) ? Number(std::max(a, b)) : std::nullopt; }
  Number clamp(double x, double low, double high) const {
    if (!is_ordered(x, low) || !is_ordered(x, high) || !is_ordered(low, high) || low > high) return std::nullopt;
    return x < low ? low : high < x ? high : x;
  }
};

// In doubles the bounds of all widths are exact.
Result to_integer(bool is_signed, double value, std::uint32_t width) {
  const int bits = static_cast<int>(width);
  if (!is_signed) return value >= 0 && value < std::ldexp(1.0, bits) ? Result(static_cast<Bits>(value)) : std::nullopt;
  const double limit = std::ldexp(1.0, bits - 1);
  return value > -limit && value < limit ? Result(static_cast<Bits>(static_cast<std::int64_t>(value))) : std::nullopt;
}

Result float_operation(Op op, Formula formula, NumberType result, NumberType of, std::span<const Bits> operands) {
  std::array<double, 3> numbers = {};
  const std::span<const double> x(numbers.data(), operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    numbers[i] = float_value(operands[i], of.width);
    if (!is_plain(numbers[i], of.width)) return std::nullopt;
  }
  if (result.kind == NumberType::Kind::integer)
    return formula == Formula::convert ? to_integer(op == Op::OpConvertFToS, x[0], result.width) : std::nullopt;
  if (result.kind == NumberType::Kind::boolean) {
    const std::optional<bool> holds = evaluate(FloatComparisons{}, formula, x);
    return holds ? Result(*holds) : std::nullopt;
  }
  const std::optional<double> value = evaluate(Floats{}, formula, x);
  return value ? float_result(*value, result.width) : std::nullopt;
}

// ---- from integers

// An integer of 64 bits may need more than a double has: rounded twice it could become another float.
Result to_float(double value, bool is_held, std::uint32_t width) {
  return is_held || width == 64 ? float_result(value, width) : std::nullopt;
}

Result converted_integer(const OperationRow& row, NumberType result, NumberType of, Bits a) {
  const bool is_signed = row.reads(Reading::sint);
  const std::int64_t number = signed_value(a, of.width);
  if (result.kind != NumberType::Kind::floating) return is_signed ? static_cast<Bits>(number) : a;
  const double value = is_signed ? static_cast<double>(number) : static_cast<double>(a);
  return to_float(value, std::abs(value) <= 0x1p53, result.width);
}

bool sum_is_exact(double a, double b, double result) {
  const double sum = a + b, part = sum - a;
  return (a - (sum - part)) + (b - part) == 0 && sum == result;
}

}  // namespace

Bits low_bits(Bits value, std::uint32_t width) { return width >= 64 ? value : value & ((Bits{1} << width) - 1); }

std::int64_t signed_value(Bits bits, std::uint32_t width) {
  return static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
}

double float_value(Bits bits, std::uint32_t width) {
  if (width == 64) return std::bit_cast<double>(bits);
  if (width == 32) return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
  const int exponent = static_cast<int>(bits >> 10 & 31u);
  const double significand = static_cast<double>(bits & 1023u), sign = (bits & 0x8000u) != 0 ? -1 : 1;
  if (exponent == 31) return significand == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(significand, -24);
  return sign * std::ldexp(1024 + significand, exponent - 25);
}

std::optional<Bits> nearest_float(double value, std::uint32_t width) {
  const double nearest = rounded(value, width);
  return std::abs(nearest) <= format_of(width).greatest ? Result(float_bits(nearest, width)) : std::nullopt;
}

std::optional<NumberType> number_type(const Module& module, Id scalar_type) {
  const InstRef def = module.def(scalar_type);
  switch (type_kind(module, scalar_type)) {
    case TypeKind::boolean: return NumberType{NumberType::Kind::boolean, 1};
    case TypeKind::integer: return NumberType{NumberType::Kind::integer, module.operand(def, 0).word};
    case TypeKind::floating: {
      const std::uint32_t width = module.operand(def, 0).word;
      if (module.operands(def).size() != 1 || (width != 16 && width != 32 && width != 64)) return std::nullopt;
      return NumberType{NumberType::Kind::floating, width};
    }
    default: return std::nullopt;
  }
}

std::optional<Bits> constant_bits(const Module& module, Id constant) {
  const InstRef def = module.def(constant);
  const std::optional<NumberType> type = number_type(module, module.type_of(constant));
  if (!type) return std::nullopt;
  switch (module[def].op) {
    case Op::OpConstantTrue: return 1;
    case Op::OpConstantFalse:
    case Op::OpConstantNull: return 0;
    case Op::OpConstant: {
      const auto words = module.operands(def);
      return low_bits(words[0].word | (words.size() > 1 ? Bits{words[1].word} << 32 : 0), type->width);
    }
    default: return std::nullopt;
  }
}

std::optional<Bits> apply(Op op, std::uint32_t glsl, NumberType result, NumberType of, std::span<const Bits> operands) {
  const OperationRow& row = row_of(op, glsl);
  // Of a vector and a scalar each component is a product of two.
  const bool is_scaled = op == Op::OpVectorTimesScalar;
  if (operands.empty() || operands.size() != (is_scaled ? 2u : row.operand_count) || row.widths == Widths::choice)
    return std::nullopt;
  const Result bits = of.kind == NumberType::Kind::floating ? float_operation(op, row.formula, result, of, operands)
                      : row.formula == Formula::convert
                          ? converted_integer(row, result, of, operands[0])
                          : evaluate(Integers{row.reads(Reading::sint), of.width}, row.formula, operands);
  return bits ? Result(low_bits(*bits, result.width)) : std::nullopt;
}

bool is_exact(Op op, NumberType result, NumberType of, std::span<const Bits> operands, Bits bits) {
  if (result.kind != NumberType::Kind::floating || op == Op::OpExtInst) return true;
  const auto number = [&](std::size_t i) { return float_value(operands[i], of.width); };
  const double value = float_value(bits, result.width);
  const OperationRow& row = row_of(op);
  if (row.formula == Formula::negate) return true;
  if (row.formula == Formula::convert) {
    if (of.kind == NumberType::Kind::floating) return value == number(0);
    // Integers that a double rounds are above 2^53, and so is what they become.
    const bool is_signed = row.reads(Reading::sint);
    const std::int64_t integer = signed_value(operands[0], of.width);
    return std::abs(value) <= 0x1p53 &&
           value == (is_signed ? static_cast<double>(integer) : static_cast<double>(operands[0]));
  }
  if (result.width == 64) return false;  // what follows counts on doubles that hold the whole product
  switch (row.formula) {
    case Formula::add: return sum_is_exact(number(0), number(1), value);
    case Formula::subtract: return sum_is_exact(number(0), -number(1), value);
    case Formula::multiply: return number(0) * number(1) == value;
    case Formula::divide: return value * number(1) == number(0);
    default: return false;
  }
}

}  // namespace varylink::spirv
