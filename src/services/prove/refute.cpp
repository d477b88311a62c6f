#include "prove/refute.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "prove/terms/loop_value.h"

namespace varylink::prove {
namespace {

constexpr int kTrials = 4;
constexpr std::size_t kMostInputs = 256;
// More than rounding of the terms' constants can do: relative to the values, and to the largest number on the way.
constexpr double kSameWithin = 1e-3, kLostWithin = 1e-5;

// An input that can have any value, whatever the others have.
bool is_free(const Terms& terms, Term term) {
  const Node& node = terms[term];
  if (!is_float(node.sort) && !is_int(node.sort)) return false;
  if (node.kind == Kind::symbol) return terms.is(term, "attribute") || terms.is(term, "specialization constant");
  const auto parts = terms.children(term);
  if (terms.is(term, "load"))
    return parts.size() == 2 && terms.is_constant(parts[1]) && terms.children(parts[0]).empty();
  return node.across && parts.size() == 1 && terms.is(parts[0], "attribute");
}

// Loads that differ in their memory operands alone read the same bytes, and interpolations of one attribute may agree:
// smooth and noperspective ones of a primitive whose vertices have one w.
bool depend_on_each_other(const Terms& terms, const std::vector<Term>& inputs) {
  std::set<std::vector<Term>> places;
  return std::ranges::any_of(inputs, [&](Term input) {
    const auto parts = terms.children(input);
    return !parts.empty() && !places.insert({parts.begin(), parts.end()}).second;
  });
}

// Adds the inputs that the term is made of. False if it is made of anything else, too, but arithmetic and choices, or
// of `any_operation` where that is right.
bool add_inputs(const Terms& terms, Term root, bool any_operation, std::set<Term>& inputs) {
  std::set<Term> known;
  std::vector<Term> pending = {root};
  while (!pending.empty()) {
    const Term term = pending.back();
    pending.pop_back();
    if (!known.insert(term).second || terms.is_constant(term)) continue;
    if (is_free(terms, term)) {
      inputs.insert(term);
      if (inputs.size() > kMostInputs) return false;
      continue;
    }
    const Kind kind = terms[term].kind;
    if (!any_operation && kind != Kind::sum && kind != Kind::product && kind != Kind::choice) return false;
    for (const Term part : terms.children(term)) pending.push_back(part);
  }
  return true;
}

// None if there is no telling which values they can take at once. A condition that is made of more than inputs is open
// where it does not fold.
std::optional<std::vector<Term>> inputs_of(const Terms& terms, Term original, Term linked, Term condition) {
  std::set<Term> inputs;
  if (!add_inputs(terms, original, false, inputs) || !add_inputs(terms, linked, false, inputs) ||
      !add_inputs(terms, condition, true, inputs))
    return std::nullopt;
  std::vector<Term> result(inputs.begin(), inputs.end());
  if (depend_on_each_other(terms, result)) return std::nullopt;
  return result;
}

// A real number, and the largest one on the way to it, of which constants have lost a part to rounding.
struct Evaluated {
  double value = 0, largest = 0;
};

// Of sums and products of inputs that have these values.
class Evaluator {
 public:
  Evaluator(const Terms& terms, const std::unordered_map<Term, Term>& values) : terms_(terms), values_(values) {}

  Evaluated operator()(Term term) {
    if (const auto found = known_.find(term); found != known_.end()) return found->second;
    const Evaluated result = evaluate(term);
    known_.emplace(term, result);
    return result;
  }

 private:
  Evaluated constant(Term term) const {
    const double value = terms_.real_value(term);
    return {value, std::fabs(value)};
  }

  Evaluated evaluate(Term term) {
    if (terms_.is_constant(term)) return constant(term);
    if (const auto input = values_.find(term); input != values_.end()) return constant(input->second);
    Evaluated result;
    if (terms_[term].kind == Kind::product) {
      result.value = 1;
      for (const Terms::Factor& factor : terms_.factors(term)) {
        const Evaluated base = (*this)(factor.base);
        result.value *= std::pow(base.value, static_cast<double>(factor.exponent));
        result.largest = std::max(result.largest, base.largest);
      }
    } else if (terms_[term].kind != Kind::sum) {
      return {0, std::numeric_limits<double>::infinity()};  // nothing is known of it
    } else {
      result.value = std::bit_cast<double>(terms_.constant_summand(term));
      result.largest = std::fabs(result.value);
      for (const Terms::Summand& summand : terms_.summands(term)) {
        const Evaluated product = (*this)(summand.product);
        const double value = std::bit_cast<double>(summand.coefficient) * product.value;
        result.value += value;
        result.largest = std::max({result.largest, product.largest, std::fabs(value)});
      }
    }
    result.largest = std::max(result.largest, std::fabs(result.value));
    return result;
  }

  const Terms& terms_;
  const std::unordered_map<Term, Term>& values_;
  std::unordered_map<Term, Evaluated> known_;
};

bool differ(const Terms& terms, Term a, Term b, const Evaluated& x, const Evaluated& y) {
  if (!terms.is_constant(a) || !terms.is_constant(b)) return false;
  if (!is_float(terms[a].sort)) return terms.bits(a) != terms.bits(b);
  const double same = kSameWithin * std::max({1.0, std::fabs(x.value), std::fabs(y.value)});
  return std::fabs(x.value - y.value) > std::max(same, kLostWithin * std::max(x.largest, y.largest));
}

}  // namespace

std::optional<std::string> refute(Terms& terms, Term original, Term linked, Term seen,
                                  const std::function<bool(Term)>& has_any_value) {
  const std::optional<std::vector<Term>> inputs = inputs_of(terms, original, linked, seen);
  if (!inputs || !std::ranges::all_of(*inputs, has_any_value)) return std::nullopt;
  std::uint64_t random = 1;
  WalkMemo known;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::unordered_map<Term, Term> values;
    known.clear();
    std::string witness;
    for (const Term input : *inputs) {
      random = random * 6364136223846793005ull + 1442695040888963407ull;
      const std::uint64_t number = (random >> 40) % 16 + 1;
      const Sort sort = terms[input].sort;
      values[input] = is_float(sort) ? terms.real(sort, static_cast<double>(number) / 4) : terms.constant(sort, number);
      witness += (witness.empty() ? "" : ", ") + text_of(terms, input, 3) + " = " + text_of(terms, values[input]);
    }
    const Term x = replace(terms, original, values, known), y = replace(terms, linked, values, known);
    Evaluated exact_x, exact_y;
    if (is_float(terms[original].sort)) {
      Evaluator evaluate(terms, values);
      exact_x = evaluate(original);
      exact_y = evaluate(linked);
    }
    if (terms.is_true(replace(terms, seen, values, known)) && differ(terms, x, y, exact_x, exact_y))
      return text_of(terms, x) + " became " + text_of(terms, y) + (witness.empty() ? "" : " for " + witness);
  }
  return std::nullopt;
}

}  // namespace varylink::prove
