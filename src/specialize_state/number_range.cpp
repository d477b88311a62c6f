#include "specialize_state/number_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spirv/ir/operations.h"

namespace varylink::specialize_state {
namespace {

using spirv::Formula;
using spirv::OperationRow;
using spirv::Reading;
using spirv::row_of;
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

// It means something else for integers below zero than for numbers, which the ranges are.
bool reads_unsigned(const OperationRow& row) { return row.reads(Reading::uint) || row.formula == Formula::bit_and; }

bool all_positive(std::span<const Range> operands) {
  return std::all_of(operands.begin(), operands.end(), [](const Range& range) { return range.low >= 0; });
}

// Of whole numbers that are not negative.
std::optional<Range> quotient_range(const OperationRow& row, const Range& a, const Range& b) {
  if (row.reads(Reading::floating) || a.low < 0 || b.low <= 0) return std::nullopt;
  if (row.formula != Formula::divide) return Range{0, std::min(a.high, b.high - 1)};
  return Range{std::floor(a.low / b.high), std::floor(a.high / b.low)};
}

std::optional<Range> shifted_range(const Range& number, const Range& places) {
  if (!places.is_point() || places.high < 0 || places.high >= 32) return std::nullopt;
  const int down = -static_cast<int>(places.high);
  return Range{std::floor(std::ldexp(number.low, down)), std::floor(std::ldexp(number.high, down))};
}

std::optional<Range> converted_range(const OperationRow& row, const Range& x) {
  if (row.result == Reading::floating) return row.reads(Reading::floating) ? std::nullopt : std::optional(x);
  if (!row.reads(Reading::floating) || (row.op == spv::Op::OpConvertFToU && x.low < 0)) return std::nullopt;
  return Range{std::trunc(x.low), std::trunc(x.high)};
}

// Before the result is rounded.
std::optional<Range> exact_range(const OperationRow& row, std::span<const Range> x) {
  switch (row.formula) {
    case Formula::negate: return Range{-x[0].high, -x[0].low};
    case Formula::add: return Range{x[0].low + x[1].low, x[0].high + x[1].high};
    case Formula::subtract: return Range{x[0].low - x[1].high, x[0].high - x[1].low};
    case Formula::multiply:
      return of_corners({x[0].low * x[1].low, x[0].low * x[1].high, x[0].high * x[1].low, x[0].high * x[1].high});
    case Formula::divide:
    case Formula::modulo:
    case Formula::remainder: return quotient_range(row, x[0], x[1]);
    case Formula::bit_and: return Range{0, std::min(x[0].high, x[1].high)};
    case Formula::shift_right: return shifted_range(x[0], x[1]);
    case Formula::convert: return converted_range(row, x[0]);
    case Formula::absolute:
      if (x[0].low >= 0) return x[0];
      return Range{x[0].high <= 0 ? -x[0].high : 0, std::max(-x[0].low, x[0].high)};
    case Formula::minimum: return Range{std::min(x[0].low, x[1].low), std::min(x[0].high, x[1].high)};
    case Formula::maximum: return Range{std::max(x[0].low, x[1].low), std::max(x[0].high, x[1].high)};
    case Formula::clamp:
      if (x[1].high > x[2].low) return std::nullopt;  // which bound wins is undefined
      return Range{std::clamp(x[0].low, x[1].low, x[2].low), std::clamp(x[0].high, x[1].high, x[2].high)};
    default: return std::nullopt;
  }
}

bool is_rounded(Formula formula) {
  return formula == Formula::add || formula == Formula::subtract || formula == Formula::multiply ||
         formula == Formula::convert;
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
  const OperationRow& row = row_of(op, glsl);
  if (operands.size() != row.operand_count || (reads_unsigned(row) && !all_positive(operands))) return std::nullopt;
  std::optional<Range> result = exact_range(row, operands);
  if (result && row.result == Reading::floating && is_rounded(row.formula)) result = rounded(result->low, result->high);
  if (!result || !fits(*result, is_float)) return std::nullopt;
  result->from = 0;
  for (const Range& operand : operands) result->from |= operand.from;
  return result;
}

std::optional<bool> decided(Op op, const Range& a, const Range& b) {
  const OperationRow& row = spirv::row_of(op);
  if (reads_unsigned(row) && (a.low < 0 || b.low < 0)) return std::nullopt;
  const auto less = [](const Range& x, const Range& y) -> std::optional<bool> {
    if (x.high < y.low) return true;
    return x.low >= y.high ? std::optional(false) : std::nullopt;
  };
  const auto negated = [](std::optional<bool> value) { return value ? std::optional(!*value) : value; };
  const auto equal = [&]() -> std::optional<bool> {
    if (a.high < b.low || b.high < a.low) return false;
    return a.is_point() && b.is_point() ? std::optional(true) : std::nullopt;
  };
  switch (row.formula) {
    case Formula::less: return less(a, b);
    case Formula::greater: return less(b, a);
    case Formula::less_equal: return negated(less(b, a));
    case Formula::greater_equal: return negated(less(a, b));
    case Formula::equal: return equal();
    case Formula::not_equal: return negated(equal());
    default: return std::nullopt;
  }
}

std::optional<std::uint32_t> unchanged_operand(Op op, std::uint32_t glsl, std::span<const Range> x) {
  const auto which = [&](bool first, bool second) -> std::optional<std::uint32_t> {
    if (first) return 0;
    return second ? std::optional(1u) : std::nullopt;
  };
  const auto keeps = [&](const Range& value, const Range& mask) {
    return value.low >= 0 && mask.is_point() && is_mask(mask.low) && value.high <= mask.low;
  };
  const OperationRow& row = row_of(op, glsl);
  if (row.reads(Reading::uint) && !all_positive(x)) return std::nullopt;
  switch (row.formula) {
    case Formula::bit_and: return which(keeps(x[0], x[1]), keeps(x[1], x[0]));
    case Formula::absolute: return which(x[0].low >= 0, false);
    case Formula::minimum: return which(x[0].high <= x[1].low, x[1].high <= x[0].low);
    case Formula::maximum: return which(x[0].low >= x[1].high, x[1].low >= x[0].high);
    case Formula::clamp: return which(x[0].low >= x[1].high && x[0].high <= x[2].low, false);
    default: return std::nullopt;
  }
}

}  // namespace varylink::specialize_state
