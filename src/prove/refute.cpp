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

// Loads that differ in their memory operands alone read the same bytes.
bool has_two_loads_of_one_place(const Terms& terms, const std::vector<Term>& inputs) {
  std::set<std::vector<Term>> places;
  return std::ranges::any_of(inputs, [&](Term input) {
    const auto parts = terms.children(input);
    return terms.is(input, "load") && !places.insert({parts.begin(), parts.end()}).second;
  });
}

// The inputs that the terms are made of; none if they are made of anything else, too.
std::optional<std::vector<Term>> inputs_of(const Terms& terms, Term a, Term b) {
  std::set<Term> seen;
  std::vector<Term> pending = {a, b}, inputs;
  while (!pending.empty()) {
    const Term term = pending.back();
    pending.pop_back();
    if (!seen.insert(term).second || terms.is_constant(term)) continue;
    if (is_free(terms, term)) {
      inputs.push_back(term);
      if (inputs.size() > kMostInputs) return std::nullopt;
      continue;
    }
    const Kind kind = terms[term].kind;
    if (kind != Kind::sum && kind != Kind::product && kind != Kind::choice) return std::nullopt;
    for (const Term part : terms.children(term)) pending.push_back(part);
  }
  std::ranges::sort(inputs);
  if (has_two_loads_of_one_place(terms, inputs)) return std::nullopt;
  return inputs;
}

bool differ(const Terms& terms, Term a, Term b) {
  if (!terms.is_constant(a) || !terms.is_constant(b)) return false;
  if (!is_float(terms[a].sort)) return terms.bits(a) != terms.bits(b);
  const double x = terms.real_value(a), y = terms.real_value(b);
  return std::fabs(x - y) > kSameWithin * std::max({1.0, std::fabs(x), std::fabs(y)});
}

}  // namespace

std::optional<std::string> refute(Terms& terms, Term original, Term linked) {
  const std::optional<std::vector<Term>> inputs = inputs_of(terms, original, linked);
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
    if (differ(terms, x, y))
      return text_of(terms, x) + " became " + text_of(terms, y) + (witness.empty() ? "" : " for " + witness);
  }
  return std::nullopt;
}

}  // namespace varylink::prove
