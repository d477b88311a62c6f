#include "prove/refute.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "prove/terms/loop_value.h"

namespace varylink::prove {
namespace {

constexpr int kTrials = 4;
constexpr std::size_t kMostInputs = 256;
constexpr double kSameWithin = 1e-3;  // of real values, relative: more than rounding of the terms' constants can do

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

bool differ(const Terms& terms, Term a, Term b) {
  if (!terms.is_constant(a) || !terms.is_constant(b)) return false;
  if (!is_float(terms[a].sort)) return terms.bits(a) != terms.bits(b);
  const double x = terms.real_value(a), y = terms.real_value(b);
  return std::fabs(x - y) > kSameWithin * std::max({1.0, std::fabs(x), std::fabs(y)});
}

}  // namespace

std::optional<std::string> refute(Terms& terms, Term original, Term linked, Term seen) {
  const std::optional<std::vector<Term>> inputs = inputs_of(terms, original, linked, seen);
  if (!inputs) return std::nullopt;
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
    if (terms.is_true(replace(terms, seen, values, known)) && differ(terms, x, y))
      return text_of(terms, x) + " became " + text_of(terms, y) + (witness.empty() ? "" : " for " + witness);
  }
  return std::nullopt;
}

}  // namespace varylink::prove
