#include "prove/terms/term_ranges.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

namespace varylink::prove {
namespace {

constexpr double kHighestInt = 2147483647.0;

NumberRange times(const NumberRange& a, const NumberRange& b) {
  const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

// "FClamp" of "glsl.FClamp.43"; other names as they are.
std::string_view short_name_of(std::string_view name) {
  if (!name.starts_with("glsl.")) return name;
  name.remove_prefix(5);
  return name.substr(0, name.find('.'));
}

// F, N, S and U versions of min, max, clamp and abs differ for NaN and by the sign: none here is a NaN, and what is
// read without a sign must not be negative.
std::string_view without_kind(std::string_view name) {
  for (const std::string_view each : {"Min", "Max", "Clamp", "Abs"})
    if (name.size() == each.size() + 1 && name.ends_with(each)) return each;
  return name;
}

bool reads_unsigned(std::string_view name) {
  return name.starts_with("U") || name == "BitwiseAnd" || name == "ConvertUToF" || name == "ShiftRightLogical";
}

bool is_point(const NumberRange& range) { return range.low == range.high; }

bool is_low_mask(double number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return (bits & (bits + 1)) == 0;
}

}  // namespace

std::optional<NumberRange> TermRanges::range(Term term) {
  if (const auto found = known_.find(term); found != known_.end()) return found->second;
  known_[term] = std::nullopt;
  terms_.spend_step();
  std::optional<NumberRange> result = terms_.exhausted() ? std::nullopt : computed(term);
  const bool is_integer = is_int(terms_[term].sort);
  const auto fits = [&](double number) {
    return std::isfinite(number) && (!is_integer || (number >= -kHighestInt - 1 && number <= kHighestInt));
  };
  if (result && (!fits(result->low) || !fits(result->high))) result.reset();
  return known_[term] = result;
}

std::optional<NumberRange> TermRanges::computed(Term term) {
  const Sort sort = terms_[term].sort;
  if (sort != Sort::float32 && sort != Sort::int32) return std::nullopt;
  switch (terms_[term].kind) {
    case Kind::constant: {
      const double number = is_float(sort) ? terms_.real_value(term) : static_cast<double>(terms_.signed_value(term));
      return NumberRange{number, number};
    }
    case Kind::sum: return of_sum(term);
    case Kind::product: return of_product(term);
    case Kind::choice: {
      const auto yes = range(terms_.children(term)[1]), no = range(terms_.children(term)[2]);
      if (!yes || !no) return std::nullopt;
      return NumberRange{std::min(yes->low, no->low), std::max(yes->high, no->high)};
    }
    case Kind::apply: return of_application(term);
    case Kind::symbol: break;
  }
  return std::nullopt;
}

std::optional<NumberRange> TermRanges::of_sum(Term term) {
  const Sort sort = terms_[term].sort;
  const auto number = [&](std::uint64_t coefficient) {
    return is_float(sort) ? std::bit_cast<double>(coefficient)
                          : static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(coefficient)));
  };
  const double constant = number(terms_.constant_summand(term));
  NumberRange sum{constant, constant};
  for (const Terms::Summand& summand : terms_.summands(term)) {
    const auto product = range(summand.product);
    if (!product) return std::nullopt;
    const double coefficient = number(summand.coefficient);
    const NumberRange part = times(*product, {coefficient, coefficient});
    sum = {sum.low + part.low, sum.high + part.high};
  }
  return sum;
}

std::optional<NumberRange> TermRanges::of_product(Term term) {
  constexpr std::uint64_t kMostEqual = 8;
  NumberRange product{1, 1};
  for (const Terms::Factor& factor : terms_.factors(term)) {
    const auto base = range(factor.base);
    if (!base || factor.exponent > kMostEqual) return std::nullopt;
    for (std::uint64_t i = 0; i < factor.exponent; ++i) product = times(product, *base);
  }
  return product;
}

std::optional<TermRanges::Ranges> TermRanges::of_all(std::span<const Term> terms) {
  Ranges ranges;
  const std::vector<Term> all(terms.begin(), terms.end());
  for (const Term term : all) {
    const auto one = range(term);
    if (!one) return std::nullopt;
    ranges.push_back(*one);
  }
  return ranges;
}

std::optional<NumberRange> TermRanges::of_application(Term term) {
  // The value of some invocation.
  if (terms_[term].elsewhere || terms_.is(term, "flat")) return range(terms_.children(term)[0]);
  // Functions of GLSL carry the component that they are: 0 for those that follow.
  const auto literals = terms_.literals(term);
  if (terms_[term].across || (!literals.empty() && literals[0] != 0)) return std::nullopt;
  const std::string text = terms_.text(terms_[term].name);
  const std::string_view name = short_name_of(text), kind = without_kind(name);
  const std::optional<Ranges> x = of_all(terms_.children(term));
  if (!x || x->empty()) return std::nullopt;
  const auto negative = [](const NumberRange& range) { return range.low < 0; };
  if (reads_unsigned(name) && std::any_of(x->begin(), x->end(), negative)) return std::nullopt;
  const Ranges& r = *x;
  if (kind == "Min") return NumberRange{std::min(r[0].low, r[1].low), std::min(r[0].high, r[1].high)};
  if (kind == "Max") return NumberRange{std::max(r[0].low, r[1].low), std::max(r[0].high, r[1].high)};
  if (kind == "Clamp" && r[1].high <= r[2].low)
    return NumberRange{std::clamp(r[0].low, r[1].low, r[2].low), std::clamp(r[0].high, r[1].high, r[2].high)};
  if (kind == "Abs")
    return NumberRange{negative(r[0]) ? std::max(0.0, -r[0].high) : r[0].low, std::max(-r[0].low, r[0].high)};
  if (name == "BitwiseAnd") return NumberRange{0, std::min(r[0].high, r[1].high)};
  if (name == "ShiftRightLogical" && is_point(r[1]) && r[1].high < 32) {
    const double divisor = std::ldexp(1.0, static_cast<int>(r[1].high));
    return NumberRange{std::floor(r[0].low / divisor), std::floor(r[0].high / divisor)};
  }
  if (name == "UDiv" && r[1].low > 0)
    return NumberRange{std::floor(r[0].low / r[1].high), std::floor(r[0].high / r[1].low)};
  if (name == "UMod" && r[1].low > 0) return NumberRange{0, std::min(r[0].high, r[1].high - 1)};
  if (name == "ConvertUToF" || name == "ConvertSToF") return r[0];
  if (name == "ConvertFToS" || (name == "ConvertFToU" && !negative(r[0])))
    return NumberRange{std::trunc(r[0].low), std::trunc(r[0].high)};
  return std::nullopt;
}

std::optional<Term> TermRanges::decided(const std::string& full_name, Sort sort, std::span<const Term> operands) {
  if (known_.empty() || operands.empty()) return std::nullopt;
  const std::string_view name = short_name_of(full_name), kind = without_kind(name);
  const std::vector<Term> terms(operands.begin(), operands.end());
  const std::optional<Ranges> x = of_all(operands);
  if (!x) return std::nullopt;
  const Ranges& r = *x;
  const auto negative = [](const NumberRange& range) { return range.low < 0; };
  if (reads_unsigned(name) && std::any_of(r.begin(), r.end(), negative)) return std::nullopt;
  const auto operand = [&](bool first, bool second) -> std::optional<Term> {
    if (first) return terms[0];
    return second ? std::optional(terms[1]) : std::nullopt;
  };
  const auto truth = [&](bool certain, bool impossible) -> std::optional<Term> {
    if (certain) return terms_.boolean(true);
    return impossible ? std::optional(terms_.boolean(false)) : std::nullopt;
  };
  if (kind == "Min") return operand(r[0].high <= r[1].low, r[1].high <= r[0].low);
  if (kind == "Max") return operand(r[0].low >= r[1].high, r[1].low >= r[0].high);
  if (kind == "Clamp") return operand(r[0].low >= r[1].high && r[0].high <= r[2].low, false);
  if (kind == "Abs") return operand(!negative(r[0]), false);
  if (name == "BitwiseAnd")
    return operand(is_point(r[1]) && is_low_mask(r[1].low) && r[0].high <= r[1].low,
                   is_point(r[0]) && is_low_mask(r[0].low) && r[1].high <= r[0].low);
  const bool apart = r.size() > 1 && (r[0].high < r[1].low || r[1].high < r[0].low);
  if (name == "ULessThan" || name == "SLessThan" || name == "FOrdLessThan")
    return truth(r[0].high < r[1].low, r[0].low >= r[1].high);
  if (name == "FOrdLessThanEqual") return truth(r[0].high <= r[1].low, r[0].low > r[1].high);
  if (name == "IEqual" || name == "FOrdEqual") return truth(false, apart);
  if (name == "FOrdNotEqual") return truth(apart, false);
  if (is_int(sort))
    if (const auto result = range(terms_.apply(sort, full_name, terms)); result && is_point(*result))
      return terms_.constant(sort, static_cast<std::uint32_t>(static_cast<std::int64_t>(result->low)));
  return std::nullopt;
}

}  // namespace varylink::prove
