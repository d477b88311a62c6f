#include "prove/terms/fold_constants.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

namespace varylink::prove {
namespace {

using Bits = std::optional<std::uint64_t>;

// Constant operands, read as the operation reads them.
struct Operands {
  const Terms& terms;
  Sort sort;  // of the result
  std::span<const Term> list;

  std::uint64_t u(std::size_t i) const { return terms.bits(list[i]); }
  std::int64_t s(std::size_t i) const { return terms.signed_value(list[i]); }
  double real(std::size_t i) const { return terms.real_value(list[i]); }
  unsigned width() const { return width_of(terms[list[0]].sort); }
  bool divides_signed() const { return s(1) != 0 && s(1) != -1; }
};

using Fold = Bits (*)(const Operands&);

Bits when(bool defined, std::uint64_t bits) { return defined ? Bits(bits) : std::nullopt; }
Bits signed_bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

Bits floored_rest(const Operands& x) {
  if (!x.divides_signed()) return std::nullopt;
  const std::int64_t rest = x.s(0) % x.s(1);
  return signed_bits(rest != 0 && (rest < 0) != (x.s(1) < 0) ? rest + x.s(1) : rest);
}

Bits extract_field(const Operands& x) {
  if (x.u(2) == 0 || x.u(2) >= 64 || x.u(1) + x.u(2) > x.width()) return std::nullopt;
  return (x.u(0) >> x.u(1)) & ((std::uint64_t{1} << x.u(2)) - 1);
}

const std::unordered_map<std::string, Fold>& integer_folds() {
  static const std::unordered_map<std::string, Fold> folds = {
      {"SDiv", [](const Operands& x) { return x.divides_signed() ? signed_bits(x.s(0) / x.s(1)) : std::nullopt; }},
      {"UDiv", [](const Operands& x) { return x.u(1) != 0 ? Bits(x.u(0) / x.u(1)) : std::nullopt; }},
      {"SRem", [](const Operands& x) { return x.divides_signed() ? signed_bits(x.s(0) % x.s(1)) : std::nullopt; }},
      {"UMod", [](const Operands& x) { return x.u(1) != 0 ? Bits(x.u(0) % x.u(1)) : std::nullopt; }},
      {"SMod", floored_rest},
      {"ShiftLeftLogical", [](const Operands& x) { return x.u(1) < x.width() ? Bits(x.u(0) << x.u(1)) : Bits(); }},
      {"ShiftRightLogical", [](const Operands& x) { return x.u(1) < x.width() ? Bits(x.u(0) >> x.u(1)) : Bits(); }},
      {"ShiftRightArithmetic",
       [](const Operands& x) { return x.u(1) < x.width() ? signed_bits(x.s(0) >> x.u(1)) : Bits(); }},
      {"BitwiseAnd", [](const Operands& x) { return Bits(x.u(0) & x.u(1)); }},
      {"BitwiseOr", [](const Operands& x) { return Bits(x.u(0) | x.u(1)); }},
      {"BitwiseXor", [](const Operands& x) { return Bits(x.u(0) ^ x.u(1)); }},
      {"Not", [](const Operands& x) { return Bits(~x.u(0)); }},
      {"IEqual", [](const Operands& x) { return Bits(x.u(0) == x.u(1)); }},
      {"ULessThan", [](const Operands& x) { return Bits(x.u(0) < x.u(1)); }},
      {"SLessThan", [](const Operands& x) { return Bits(x.s(0) < x.s(1)); }},
      {"UConvert", [](const Operands& x) { return Bits(x.u(0)); }},
      {"SConvert", [](const Operands& x) { return signed_bits(x.s(0)); }},
      {"BitCount", [](const Operands& x) { return Bits(static_cast<std::uint64_t>(std::popcount(x.u(0)))); }},
      {"BitFieldUExtract", extract_field},
      {"glsl.UMin.38", [](const Operands& x) { return Bits(std::min(x.u(0), x.u(1))); }},
      {"glsl.SMin.39", [](const Operands& x) { return signed_bits(std::min(x.s(0), x.s(1))); }},
      {"glsl.UMax.41", [](const Operands& x) { return Bits(std::max(x.u(0), x.u(1))); }},
      {"glsl.SMax.42", [](const Operands& x) { return signed_bits(std::max(x.s(0), x.s(1))); }},
      {"glsl.UClamp.44",
       [](const Operands& x) { return when(x.u(1) <= x.u(2), std::min(std::max(x.u(0), x.u(1)), x.u(2))); }},
      {"glsl.SClamp.45",
       [](const Operands& x) {
         return x.s(1) <= x.s(2) ? signed_bits(std::min(std::max(x.s(0), x.s(1)), x.s(2))) : Bits();
       }},
      {"glsl.SAbs.5", [](const Operands& x) { return signed_bits(x.s(0) < 0 ? -x.s(0) : x.s(0)); }},
      {"glsl.SSign.7", [](const Operands& x) { return signed_bits((x.s(0) > 0) - (x.s(0) < 0)); }},
  };
  return folds;
}

const std::unordered_map<std::string, Fold>& comparisons() {
  static const std::unordered_map<std::string, Fold> folds = {
      {"FOrdEqual", [](const Operands& x) { return Bits(x.real(0) == x.real(1)); }},
      {"FOrdNotEqual", [](const Operands& x) { return Bits(x.real(0) < x.real(1) || x.real(0) > x.real(1)); }},
      {"FOrdLessThan", [](const Operands& x) { return Bits(x.real(0) < x.real(1)); }},
      {"FOrdLessThanEqual", [](const Operands& x) { return Bits(x.real(0) <= x.real(1)); }},
  };
  return folds;
}

Bits float_to_int(double value, unsigned width, bool is_signed) {
  value = std::trunc(value);
  const double limit = std::ldexp(1.0, static_cast<int>(width) - (is_signed ? 1 : 0));
  if (!std::isfinite(value) || value >= limit || value < (is_signed ? -limit : 0)) return std::nullopt;
  return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) : static_cast<std::uint64_t>(value);
}

// Operations that have to give what they are defined as (R-11.2): correctly rounded (Vulkan, "Precision of SPIR-V
// Instructions"), to nearest unless the module says otherwise, which the name then says. A double has room enough for
// the sum and the product of two floats to be rounded twice without harm.
std::optional<double> exact_real(const std::string& operation, const Operands& x) {
  if (operation == "FAdd!") return x.real(0) + x.real(1);
  if (operation == "FSub!") return x.real(0) - x.real(1);
  if (operation == "FMul!") return x.real(0) * x.real(1);
  if (operation == "FNegate!") return -x.real(0);
  if (operation == "glsl.FAbs.4") return std::fabs(x.real(0));
  return std::nullopt;
}

// Nothing that a device may flush to zero is folded.
bool is_zero_or_normal(Sort sort, double value) { return value == 0 || is_normal(sort, value); }

std::optional<Term> fold_exact(Terms& terms, const std::string& operation, const Operands& x) {
  for (std::size_t i = 0; i < x.list.size(); ++i)
    if (terms[x.list[i]].sort != x.sort || !is_zero_or_normal(x.sort, x.real(i))) return std::nullopt;
  const std::optional<double> real = exact_real(operation, x);
  if (!real || !is_zero_or_normal(x.sort, *real)) return std::nullopt;
  const Term result = terms.real(x.sort, *real);
  return std::isfinite(terms.real_value(result)) ? std::optional(result) : std::nullopt;
}

// The result as a real number, of conversions to floats.
std::optional<double> converted(const std::string& operation, const Operands& x) {
  constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53;  // beyond it the number would be rounded twice
  if (operation == "ConvertSToF" && std::abs(x.s(0)) <= static_cast<std::int64_t>(kMostExact))
    return static_cast<double>(x.s(0));
  if (operation == "ConvertUToF" && x.u(0) <= kMostExact) return static_cast<double>(x.u(0));
  if (operation == "FConvert") return x.real(0);
  return std::nullopt;
}

Bits find(const std::unordered_map<std::string, Fold>& folds, const std::string& operation, const Operands& operands) {
  const auto found = folds.find(operation);
  return found == folds.end() ? std::nullopt : found->second(operands);
}

Bits fold(const std::string& operation, Sort from, const Operands& x) {
  if (is_float(from) && x.sort == Sort::boolean) return find(comparisons(), operation, x);
  if (is_float(from) && operation == "ConvertFToS") return float_to_int(x.real(0), width_of(x.sort), true);
  if (is_float(from) && operation == "ConvertFToU") return float_to_int(x.real(0), width_of(x.sort), false);
  if (is_int(from) && (is_int(x.sort) || x.sort == Sort::boolean)) return find(integer_folds(), operation, x);
  return std::nullopt;
}

}  // namespace

std::optional<Term> fold_constants(Terms& terms, const std::string& operation, Sort sort,
                                   std::span<const Term> operands) {
  if (operands.empty() || !std::ranges::all_of(operands, [&](Term term) { return terms.is_constant(term); }))
    return std::nullopt;
  const Operands values{terms, sort, operands};
  if (is_float(sort)) {
    const std::optional<double> real = converted(operation, values);
    return real ? std::optional(terms.real(sort, *real)) : fold_exact(terms, operation, values);
  }
  const Bits bits = fold(operation, terms[operands[0]].sort, values);
  return bits ? std::optional(terms.constant(sort, *bits)) : std::nullopt;
}

}  // namespace varylink::prove
