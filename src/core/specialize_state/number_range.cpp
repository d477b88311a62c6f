#include "specialize_state/number_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spirv/ir/evaluate.h"

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

// Before results are rounded. As the row reads its operands.
struct Intervals {
  using Result = Range;
  const OperationRow& row;

  Range negate(const Range& x) const { return {-x.high, -x.low}; }
  Range add(const Range& a, const Range& b) const { return {a.low + b.low, a.high + b.high}; }
  Range subtract(const Range& a, const Range& b) const { return {a.low - b.high, a.high - b.low}; }
  Range multiply(const Range& a, const Range& b) const {
    return of_corners({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  }

  // Of whole numbers that are not negative.
  bool divides(const Range& a, const Range& b) const {
    return !row.reads(Reading::floating) && a.low >= 0 && b.low > 0;
  }
  std::optional<Range> divide(const Range& a, const Range& b) const {
    if (!divides(a, b)) return std::nullopt;
    return Range{std::floor(a.low / b.high), std::floor(a.high / b.low)};
  }
  std::optional<Range> modulo(const Range& a, const Range& b) const {
    return divides(a, b) ? std::optional(Range{0, std::min(a.high, b.high - 1)}) : std::nullopt;
  }
  std::optional<Range> remainder(const Range& a, const Range& b) const { return modulo(a, b); }

  Range bit_and(const Range& a, const Range& b) const { return {0, std::min(a.high, b.high)}; }
  std::optional<Range> shift_right(const Range& number, const Range& places) const {
    if (!places.is_point() || places.high < 0 || places.high >= 32) return std::nullopt;
    const int down = -static_cast<int>(places.high);
    return Range{std::floor(std::ldexp(number.low, down)), std::floor(std::ldexp(number.high, down))};
  }
  std::optional<Range> convert(const Range& x) const {
    if (row.result == Reading::floating) return row.reads(Reading::floating) ? std::nullopt : std::optional(x);
    if (!row.reads(Reading::floating) || (row.op == spv::Op::OpConvertFToU && x.low < 0)) return std::nullopt;
    return Range{std::trunc(x.low), std::trunc(x.high)};
  }

  Range absolute(const Range& x) const {
    if (x.low >= 0) return x;
    return {x.high <= 0 ? -x.high : 0, std::max(-x.low, x.high)};
  }
  Range minimum(const Range& a, const Range& b) const { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }
  Range maximum(const Range& a, const Range& b) const { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }
  std::optional<Range> clamp(const Range& x, const Range& low, const Range& high) const {
    if (low.high > high.low) return std::nullopt;  // which bound wins is undefined
    return Range{std::clamp(x.low, low.low, high.low), std::clamp(x.high, low.high, high.high)};
  }
};

// Comparisons that have one result.
struct Order {
  using Result = bool;
  using Decision = std::optional<bool>;

  static Decision negated(Decision value) { return value ? Decision(!*value) : value; }

  Decision less(const Range& a, const Range& b) const {
    if (a.high < b.low) return true;
    return a.low >= b.high ? Decision(false) : std::nullopt;
  }
  Decision greater(const Range& a, const Range& b) const { return less(b, a); }
  Decision less_equal(const Range& a, const Range& b) const { return negated(less(b, a)); }
  Decision greater_equal(const Range& a, const Range& b) const { return negated(less(a, b)); }
  Decision equal(const Range& a, const Range& b) const {
    if (a.high < b.low || b.high < a.low) return false;
    return a.is_point() && b.is_point() ? Decision(true) : std::nullopt;
  }
  Decision not_equal(const Range& a, const Range& b) const { return negated(equal(a, b)); }
};

// The operand that the result is equal to.
struct KeptOperand {
  using Result = std::uint32_t;
  using Which = std::optional<std::uint32_t>;

  static Which which(bool first, bool second) { return first ? Which(0) : second ? Which(1) : std::nullopt; }
  static bool keeps(const Range& value, const Range& mask) {
    return value.low >= 0 && mask.is_point() && is_mask(mask.low) && value.high <= mask.low;
  }

  Which bit_and(const Range& a, const Range& b) const { return which(keeps(a, b), keeps(b, a)); }
  Which absolute(const Range& x) const { return which(x.low >= 0, false); }
  Which minimum(const Range& a, const Range& b) const { return which(a.high <= b.low, b.high <= a.low); }
  Which maximum(const Range& a, const Range& b) const { return which(a.low >= b.high, b.low >= a.high); }
  Which clamp(const Range& x, const Range& low, const Range& high) const {
    return which(x.low >= low.high && x.high <= high.low, false);
  }
};

bool is_rounded(Formula formula) {
  return formula == Formula::add || formula == Formula::subtract || formula == Formula::multiply ||
         formula == Formula::convert;
}

}  // namespace

std::optional<Range> range_of(const state::VulkanFormat& format, std::uint32_t component) {
  using Kind = state::VulkanFormat::Kind;
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
  std::optional<Range> result = spirv::evaluate(Intervals{row}, row.formula, operands);
  if (result && row.result == Reading::floating && is_rounded(row.formula)) result = rounded(result->low, result->high);
  if (!result || !fits(*result, is_float)) return std::nullopt;
  result->from = 0;
  for (const Range& operand : operands) result->from |= operand.from;
  return result;
}

std::optional<bool> decided(Op op, const Range& a, const Range& b) {
  const OperationRow& row = spirv::row_of(op);
  if (reads_unsigned(row) && (a.low < 0 || b.low < 0)) return std::nullopt;
  const Range operands[] = {a, b};
  return spirv::evaluate(Order{}, row.formula, std::span<const Range>(operands));
}

std::optional<std::uint32_t> unchanged_operand(Op op, std::uint32_t glsl, std::span<const Range> x) {
  const OperationRow& row = row_of(op, glsl);
  if (row.reads(Reading::uint) && !all_positive(x)) return std::nullopt;
  return spirv::evaluate(KeptOperand{}, row.formula, x);
}

}  // namespace varylink::specialize_state
