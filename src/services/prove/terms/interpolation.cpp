#include "prove/terms/interpolation.h"

#include <algorithm>

namespace varylink::prove {
namespace {

constexpr unsigned kMostDepth = 2000;         // of terms that are taken apart, for a stack is not endless
constexpr std::size_t kMostChoiceLeaves = 8;  // of a choice that becomes a weighted sum

}  // namespace

Term emitted(Terms& terms, const std::vector<Term>& values) {
  if (std::ranges::all_of(values, [&](Term value) { return value == values[0]; })) return values[0];
  return terms.apply_varying(terms[values[0]].sort, "emitted", values, {}, false);
}

// The interpolated value as an atom.
Term Interpolator::as_atom(Term value) {
  if (interpolation_.name == "vertex") {
    const Term chosen = interpolation_.parameters[0];
    return terms_.is(value, "invocation of the patch") ? chosen : terms_.apply_elsewhere("vertex", value, chosen);
  }
  std::vector<Term> parts = {value};
  parts.insert(parts.end(), interpolation_.parameters.begin(), interpolation_.parameters.end());
  return terms_.apply_across(terms_[value].sort, interpolation_.name, parts);
}

//
Term Interpolator::operator()(Term value) {
  // An offset may leave the primitive, where drivers do not give back even what is the same at all vertices.
  if (interpolation_.name.ends_with(".at offset")) return as_atom(value);
  if (terms_[value].convergent) return value;
  if (const auto found = known_.find(value); found != known_.end()) return found->second;
  if (depth_ == kMostDepth) return as_atom(value);
  const std::string& name = interpolation_.name;
  const bool as_it_is = name == "flat" || name == "vertex" || name == "primitive";
  ++depth_;
  const Term result = as_it_is ? flat(value) : interpolated(value);
  --depth_;
  known_.emplace(value, result);
  return result;
}

// A flat value is that of one vertex: an operation on such values is that vertex's operation.
Term Interpolator::flat(Term value) {
  const Node node = terms_[value];
  if (node.kind == Kind::symbol || node.kind == Kind::constant) return as_atom(value);
  const std::vector<Term> old(terms_.children(value).begin(), terms_.children(value).end());
  if (terms_.is(value, "emitted")) return flat_emitted(value);
  if (node.elsewhere) {  // of another stage's invocation; which one is chosen here
    const Term parts[] = {old[0], (*this)(old[1])};
    return terms_.rebuild(value, parts);
  }
  // What an invocation reads from memory or does by itself is its own: the operation crosses, not its operands.
  bool by_operands = false;
  for (const Term child : old) by_operands = by_operands || !terms_[child].convergent;
  if (!by_operands || terms_.is(value, "loop")) return as_atom(value);
  if (node.kind == Kind::apply && node.sort == Sort::memory) return as_atom(value);
  std::vector<Term> parts;
  for (const Term child : old) parts.push_back((*this)(child));
  return terms_.rebuild(value, parts);
}

// One of the emitted values: that of the provoking vertex.
Term Interpolator::flat_emitted(Term value) {
  const std::vector<Term> values(terms_.children(value).begin(), terms_.children(value).end());
  Term result = values.back();
  for (std::uint64_t i = values.size() - 1; i-- > 0;)
    result = terms_.choose(terms_.symbol(Sort::boolean, "provoking vertex", {&i, 1}, false), values[i], result);
  return result;
}

// Some of the values is undefined, or may be.
bool Interpolator::is_partly_undefined(std::span<const Term> values) const {
  return std::ranges::any_of(values, [&](Term value) { return terms_[value].has_undefined; });
}

// The emitted values weighted by the barycentrics of the vertices, which add up to one, so that the last one is not
// needed.
Term Interpolator::interpolated_emitted(Term value) {
  const std::vector<Term> values(terms_.children(value).begin(), terms_.children(value).end());
  if (is_partly_undefined(values)) return as_atom(value);  // what one primitive lacks others may have
  const Sort sort = terms_[value].sort;
  Term result = values.back();
  for (std::uint64_t i = 0; i + 1 < values.size(); ++i)
    result = terms_.add(result, terms_.multiply(terms_.subtract(values[i], values.back()),
                                                as_atom(terms_.symbol(sort, "share of vertex", {&i, 1}, false))));
  return result;
}

// Factors that all vertices agree on come out; what is left is linear only if it is one factor.
Term Interpolator::interpolated_product(Term product) {
  const Sort sort = terms_[product].sort;
  std::vector<Terms::Factor> outside, inside;
  for (const Terms::Factor& factor : terms_.factors(product))
    (terms_[factor.base].convergent && !terms_.is_undefined(factor.base) ? outside : inside).push_back(factor);
  const bool linear = inside.size() == 1 && inside[0].exponent == 1;
  if (outside.empty()) return as_atom(product);
  const Term rest = linear ? (*this)(inside[0].base) : as_atom(terms_.make_product(sort, std::move(inside)));
  return terms_.multiply(terms_.make_product(sort, std::move(outside)), rest);
}

// A choice between values that all vertices agree on is a sum of these. The weight of each is its condition, as 0 or 1,
// interpolated; the weights add up to one, so that one of them is not needed.
std::optional<Term> Interpolator::interpolated_choice(Term value) {
  std::vector<std::pair<Term, Term>> weights;  // leaf, and 1 where it is chosen
  const Sort sort = terms_[value].sort;
  const Term one = terms_.real(sort, 1), zero = terms_.real(sort, 0);
  std::vector<std::pair<Term, Term>> pending = {{value, terms_.boolean(true)}};
  while (!pending.empty()) {
    const auto [term, condition] = pending.back();
    pending.pop_back();
    if (terms_[term].kind == Kind::choice) {
      const std::vector<Term> parts(terms_.children(term).begin(), terms_.children(term).end());
      pending.push_back({parts[1], terms_.logical_and(condition, parts[0])});
      pending.push_back({parts[2], terms_.logical_and(condition, terms_.logical_not(parts[0]))});
      if (pending.size() > kMostChoiceLeaves) return std::nullopt;
      continue;
    }
    if (!terms_[term].convergent || terms_.is_undefined(term) || weights.size() > kMostChoiceLeaves)
      return std::nullopt;
    const auto known = std::ranges::find(weights, term, &std::pair<Term, Term>::first);
    if (known == weights.end())
      weights.push_back({term, condition});
    else
      known->second = terms_.logical_or(known->second, condition);
  }
  const Term base = weights[0].first;  // of the path on which all conditions fail
  Term result = base;
  for (std::size_t i = 1; i < weights.size(); ++i)
    result = terms_.add(result, terms_.multiply(terms_.subtract(weights[i].first, base),
                                                as_atom(terms_.choose(weights[i].second, one, zero))));
  return result;
}

//
Term Interpolator::interpolated(Term value) {
  const Node node = terms_[value];
  if (node.kind == Kind::choice) {
    const std::vector<Term> parts(terms_.children(value).begin(), terms_.children(value).end());
    if (terms_[parts[0]].convergent) return terms_.choose(parts[0], (*this)(parts[1]), (*this)(parts[2]));
  }
  if (semantics_ == Semantics::exact || !is_float(node.sort)) return as_atom(value);
  if (terms_.is(value, "emitted")) return interpolated_emitted(value);
  if (node.kind == Kind::sum) {
    Term result = terms_.make_sum(node.sort, node.bits, {});
    for (const Terms::Summand& summand : terms_.summands(value))
      result = terms_.add(result, terms_.scale((*this)(summand.product), summand.coefficient));
    return result;
  }
  if (node.kind == Kind::product) return interpolated_product(value);
  if (node.kind == Kind::choice)
    if (const std::optional<Term> sum = interpolated_choice(value)) return *sum;
  return as_atom(value);
}

}  // namespace varylink::prove
