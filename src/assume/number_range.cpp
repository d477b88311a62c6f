#include "assume/number_range.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace varylink::assume {
namespace {

using spv::Op;

constexpr double kLowestInt = -2147483648.0, kHighestInt = 2147483647.0;
// Numbers this small may be flushed to zero, or come of such.
constexpr double kSmall = 1e-30;

// The range in single precision, whichever way results were rounded.
Range rounded(double low, double high) {
  const auto down = [](double value) {
    float number = static_cast<float>(value);
    if (number > value) number = std::nextafter(number, -std::numeric_limits<float>::infinity());
    return number > 0 && number < kSmall ? 0.0 : static_cast<double>(number);
  };
  return {down(low), -down(-high)};
}

bool fits(const Range& range, bool is_float) {
  if (is_float) return std::isfinite(range.low) && std::isfinite(range.high);
  return range.low >= kLowestInt && range.high <= kHighestInt;
}

Range of_corners(std::initializer_list<double> corners) { return {std::min(corners), std::max(corners)}; }

bool is_mask(double number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return number >= 0 && (bits & (bits + 1)) == 0;
}

std::optional<Range> glsl_range(std::uint32_t glsl, std::span<const Range> x) {
  switch (glsl) {
    case GLSLstd450FAbs:
    case GLSLstd450SAbs:
      if (x[0].low >= 0) return x[0];
      return Range{x[0].high <= 0 ? -x[0].high : 0, std::max(-x[0].low, x[0].high)};
    case GLSLstd450FMin:
    case GLSLstd450NMin:
    case GLSLstd450SMin: return Range{std::min(x[0].low, x[1].low), std::min(x[0].high, x[1].high)};
    case GLSLstd450FMax:
    case GLSLstd450NMax:
    case GLSLstd450SMax: return Range{std::max(x[0].low, x[1].low), std::max(x[0].high, x[1].high)};
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
    case GLSLstd450SClamp:
      if (x[1].high > x[2].low) return std::nullopt;  // which bound wins is undefined
      return Range{std::clamp(x[0].low, x[1].low, x[2].low), std::clamp(x[0].high, x[1].high, x[2].high)};
    default: return std::nullopt;
  }
}

// Unsigned operations read what is not negative like the signed ones.
std::uint32_t signed_like(std::uint32_t glsl) {
  switch (glsl) {
    case GLSLstd450UMin: return GLSLstd450SMin;
    case GLSLstd450UMax: return GLSLstd450SMax;
    case GLSLstd450UClamp: return GLSLstd450SClamp;
    default: return glsl;
  }
}

bool reads_unsigned(Op op) {
  switch (op) {
    case Op::OpULessThan:
    case Op::OpULessThanEqual:
    case Op::OpUGreaterThan:
    case Op::OpUGreaterThanEqual:
    case Op::OpUDiv:
    case Op::OpUMod:
    case Op::OpConvertUToF:
    case Op::OpShiftRightLogical:
    case Op::OpBitwiseAnd: return true;
    default: return false;
  }
}

bool all_positive(std::span<const Range> operands) {
  return std::all_of(operands.begin(), operands.end(), [](const Range& range) { return range.low >= 0; });
}

std::optional<Range> operation_range(Op op, std::span<const Range> x) {
  switch (op) {
    case Op::OpFNegate:
    case Op::OpSNegate: return Range{-x[0].high, -x[0].low};
    case Op::OpFAdd: return rounded(x[0].low + x[1].low, x[0].high + x[1].high);
    case Op::OpFSub: return rounded(x[0].low - x[1].high, x[0].high - x[1].low);
    case Op::OpIAdd: return Range{x[0].low + x[1].low, x[0].high + x[1].high};
    case Op::OpISub: return Range{x[0].low - x[1].high, x[0].high - x[1].low};
    case Op::OpFMul:
    case Op::OpIMul: {
      const Range exact =
          of_corners({x[0].low * x[1].low, x[0].low * x[1].high, x[0].high * x[1].low, x[0].high * x[1].high});
      return op == Op::OpIMul ? exact : rounded(exact.low, exact.high);
    }
    case Op::OpBitwiseAnd: return Range{0, std::min(x[0].high, x[1].high)};
    case Op::OpUDiv:
      if (x[1].low <= 0) return std::nullopt;
      return Range{std::floor(x[0].low / x[1].high), std::floor(x[0].high / x[1].low)};
    case Op::OpUMod:
      if (x[1].low <= 0) return std::nullopt;
      return Range{0, std::min(x[0].high, x[1].high - 1)};
    case Op::OpShiftRightLogical:
      if (!x[1].is_point() || x[1].high >= 32) return std::nullopt;
      return Range{std::floor(std::ldexp(x[0].low, -static_cast<int>(x[1].high))),
                   std::floor(std::ldexp(x[0].high, -static_cast<int>(x[1].high)))};
    case Op::OpConvertUToF:
    case Op::OpConvertSToF: return rounded(x[0].low, x[0].high);
    case Op::OpConvertFToS: return Range{std::trunc(x[0].low), std::trunc(x[0].high)};
    case Op::OpConvertFToU:
      if (x[0].low < 0) return std::nullopt;
      return Range{std::trunc(x[0].low), std::trunc(x[0].high)};
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<Range> range_of(const analysis::VulkanFormat& format, std::uint32_t component) {
  using Kind = analysis::VulkanFormat::Kind;
  const int bits = format.bits[component];
  if (bits == 0 || bits >= 32) return std::nullopt;
  const bool is_integer = !format.is_float();
  if (is_integer && component == 3) return std::nullopt;
  switch (format.kind) {
    case Kind::unorm:
    case Kind::srgb: return Range{0, 1};
    case Kind::snorm: return Range{-1, 1};
    case Kind::uscaled:
    case Kind::uint: return Range{0, std::ldexp(1.0, bits) - 1};
    case Kind::sscaled:
    case Kind::sint: return Range{-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1};
    case Kind::ufloat:
    case Kind::sfloat: break;
  }
  return std::nullopt;
}

Range joined(const Range& a, const Range& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.from | b.from};
}

std::optional<Range> result_range(Op op, std::uint32_t glsl, bool is_float, std::span<const Range> operands) {
  const std::uint32_t like = op == Op::OpExtInst ? signed_like(glsl) : glsl;
  if ((reads_unsigned(op) || like != glsl) && !all_positive(operands)) return std::nullopt;
  std::optional<Range> result = op == Op::OpExtInst ? glsl_range(like, operands) : operation_range(op, operands);
  if (!result || !fits(*result, is_float)) return std::nullopt;
  result->from = 0;
  for (const Range& operand : operands) result->from |= operand.from;
  return result;
}

std::optional<bool> decided(Op op, const Range& a, const Range& b) {
  if (reads_unsigned(op) && (a.low < 0 || b.low < 0)) return std::nullopt;
  const auto less = [](const Range& x, const Range& y) -> std::optional<bool> {
    if (x.high < y.low) return true;
    return x.low >= y.high ? std::optional(false) : std::nullopt;
  };
  const auto negated = [](std::optional<bool> value) { return value ? std::optional(!*value) : value; };
  const auto equal = [&]() -> std::optional<bool> {
    if (a.high < b.low || b.high < a.low) return false;
    return a.is_point() && b.is_point() ? std::optional(true) : std::nullopt;
  };
  switch (op) {
    case Op::OpSLessThan:
    case Op::OpULessThan:
    case Op::OpFOrdLessThan:
    case Op::OpFUnordLessThan: return less(a, b);
    case Op::OpSGreaterThan:
    case Op::OpUGreaterThan:
    case Op::OpFOrdGreaterThan:
    case Op::OpFUnordGreaterThan: return less(b, a);
    case Op::OpSLessThanEqual:
    case Op::OpULessThanEqual:
    case Op::OpFOrdLessThanEqual:
    case Op::OpFUnordLessThanEqual: return negated(less(b, a));
    case Op::OpSGreaterThanEqual:
    case Op::OpUGreaterThanEqual:
    case Op::OpFOrdGreaterThanEqual:
    case Op::OpFUnordGreaterThanEqual: return negated(less(a, b));
    case Op::OpIEqual:
    case Op::OpFOrdEqual:
    case Op::OpFUnordEqual: return equal();
    case Op::OpINotEqual:
    case Op::OpFOrdNotEqual:
    case Op::OpFUnordNotEqual: return negated(equal());
    default: return std::nullopt;
  }
}

std::optional<std::uint32_t> unchanged_operand(Op op, std::uint32_t glsl, std::span<const Range> x) {
  const auto which = [&](bool first, bool second) -> std::optional<std::uint32_t> {
    if (first) return 0;
    return second ? std::optional(1u) : std::nullopt;
  };
  if (op == Op::OpBitwiseAnd) {
    const auto keeps = [&](const Range& value, const Range& mask) {
      return value.low >= 0 && mask.is_point() && is_mask(mask.low) && value.high <= mask.low;
    };
    return which(keeps(x[0], x[1]), keeps(x[1], x[0]));
  }
  if (op != Op::OpExtInst) return std::nullopt;
  if (signed_like(glsl) != glsl && !all_positive(x)) return std::nullopt;
  switch (signed_like(glsl)) {
    case GLSLstd450FAbs:
    case GLSLstd450SAbs: return which(x[0].low >= 0, false);
    case GLSLstd450FMin:
    case GLSLstd450NMin:
    case GLSLstd450SMin: return which(x[0].high <= x[1].low, x[1].high <= x[0].low);
    case GLSLstd450FMax:
    case GLSLstd450NMax:
    case GLSLstd450SMax: return which(x[0].low >= x[1].high, x[1].low >= x[0].high);
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
    case GLSLstd450SClamp: return which(x[0].low >= x[1].high && x[0].high <= x[2].low, false);
    default: return std::nullopt;
  }
}

}  // namespace varylink::assume
