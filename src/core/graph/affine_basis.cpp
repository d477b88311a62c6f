#include "graph/affine_basis.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace varylink::graph {
namespace {

// A float rounds to 24 bits; what is left of two terms that should cancel may be off by a few of their last bits.
constexpr double kRounding = 0x1p-22;

template <typename Number>
constexpr bool kIsFloat = std::is_same_v<Number, double>;

// Modulo 2^32, by Newton's iteration: each step doubles the number of right bits, of which an odd number has three.
std::uint32_t inverse(std::uint32_t odd) {
  std::uint32_t result = odd;
  for (int step = 0; step < 4; ++step) result *= 2 - odd * result;
  return result;
}

double quotient(double a, double b) { return a / b; }
std::uint32_t quotient(std::uint32_t a, std::uint32_t b) { return a * inverse(b); }

bool cancels(double sum, double a, double b) { return std::abs(sum) <= kRounding * (std::abs(a) + std::abs(b)); }
bool cancels(std::uint32_t sum, std::uint32_t, std::uint32_t) { return sum == 0; }

// form += factor * other, without what cancels.
template <typename Number, typename Key>
void add(std::map<Key, Number>& form, const std::map<Key, Number>& other, Number factor) {
  for (const auto& [key, coefficient] : other) {
    const Number added = factor * coefficient;
    Number& number = form[key];
    const Number before = number;
    number += added;
    if (cancels(number, before, added)) form.erase(key);
  }
}

template <typename Number>
AffineForm<Number> without_rematerializable_terms(AffineForm<Number> form) {
  std::erase_if(form, [](const auto& term) { return term.first.is_rematerializable(); });
  return form;
}

const Monomial* pivot_of(const AffineForm<double>& form) {
  const Monomial* pivot = nullptr;
  double largest = 0;
  for (const auto& [monomial, coefficient] : form) {
    if (std::abs(coefficient) <= largest) continue;
    pivot = &monomial;
    largest = std::abs(coefficient);
  }
  return pivot;
}

const Monomial* pivot_of(const AffineForm<std::uint32_t>& form) {
  for (const auto& [monomial, coefficient] : form)
    if (coefficient % 2 == 1) return &monomial;
  return nullptr;
}

// As the constant that it will be in code.
double rounded(double number) { return static_cast<double>(static_cast<float>(number)); }
std::uint32_t rounded(std::uint32_t number) { return number; }

}  // namespace

template <typename Number>
AffineForm<Number> AffineBasis<Number>::generated(Generator generator) const {
  Form result;
  for (const auto& [monomial, coefficient] : sent_[generator.first])
    result.emplace(monomial * factors_[generator.second], coefficient);
  return result;
}

template <typename Number>
void AffineBasis<Number>::reduce(Form& form, Combination& combination) const {
  for (const Reduced& reduced : reduced_) {
    const auto found = form.find(reduced.pivot);
    if (found == form.end()) continue;
    const Number factor = Number{0} - quotient(found->second, reduced.form.at(reduced.pivot));
    add(form, reduced.form, factor);
    form.erase(reduced.pivot);
    add(combination, reduced.combination, factor);
  }
}

template <typename Number>
void AffineBasis<Number>::send(const Form& form) {
  sent_.push_back(form);
  for (std::size_t factor = 0; factor < factors_.size(); ++factor) {
    const Generator generator{sent_.size() - 1, factor};
    Reduced next;
    next.form = without_rematerializable_terms(generated(generator));
    reduce(next.form, next.combination);
    const Monomial* pivot = pivot_of(next.form);
    if (!pivot) continue;
    next.pivot = *pivot;
    next.combination[generator] += Number{1};
    reduced_.push_back(std::move(next));
  }
}

template <typename Number>
std::optional<AffineSum<Number>> AffineBasis<Number>::express(const Form& form) const {
  Form left = without_rematerializable_terms(form);
  Combination combination;
  reduce(left, combination);
  if (!left.empty()) return std::nullopt;
  for (auto& [generator, coefficient] : combination) coefficient = rounded(Number{0} - coefficient);
  return checked(form, combination);
}

// The size of a product of uniforms is unknown: terms multiplied by it must not cancel, but be in the form about as
// they are in the sum. `size`: magnitudes of the form and of everything in the sum.
template <typename Number>
bool AffineBasis<Number>::is_ill_conditioned(const Form& form, const Form& size) const {
  std::map<std::vector<ValueId>, std::pair<double, double>> magnitudes;  // by uniforms: of the form, of both
  for (const auto& [monomial, number] : form) magnitudes[monomial.uniforms].first += std::abs(double(number));
  for (const auto& [monomial, number] : size) magnitudes[monomial.uniforms].second += double(number);
  return std::any_of(magnitudes.begin(), magnitudes.end(), [&](const auto& entry) {
    const auto& [own, both] = entry.second;
    return both - own > most_amplification_ * own;
  });
}

// With coefficients as they will be in code: whether the sum is the form, and how it is conditioned.
template <typename Number>
std::optional<AffineSum<Number>> AffineBasis<Number>::checked(const Form& form, const Combination& combination) const {
  AffineSum<Number> result;
  Form left = form, size;  // terms that the sum lacks; magnitudes of all terms that were added up
  const auto count = [&](const Form& part, Number coefficient) {
    if constexpr (kIsFloat<Number>)
      for (const auto& [monomial, number] : part) size[monomial] += std::abs(coefficient * number);
  };
  count(form, Number{1});
  for (const auto& [generator, coefficient] : combination) {
    const auto& [row, factor] = generator;
    const Form part = generated(generator);
    for (const auto& [monomial, number] : part) left[monomial] -= coefficient * number;
    count(part, coefficient);
    result.terms.push_back({row, factors_[factor], coefficient});
    if constexpr (kIsFloat<Number>)
      if (std::abs(coefficient) > kMostCoefficient) return std::nullopt;
  }
  if constexpr (kIsFloat<Number>)  // rule
    if (is_ill_conditioned(form, size)) return std::nullopt;
  for (const auto& [monomial, coefficient] : left) {
    if (cancels(coefficient, size[monomial], Number{0})) continue;
    if (!monomial.is_rematerializable()) return std::nullopt;
    result.rest.emplace(monomial, rounded(coefficient));
  }
  return result.terms.empty() ? std::nullopt : std::optional(result);
}

template class AffineBasis<double>;
template class AffineBasis<std::uint32_t>;

}  // namespace varylink::graph
