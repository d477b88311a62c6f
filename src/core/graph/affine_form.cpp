#include "graph/affine_form.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "spirv/ir/evaluate.h"

namespace varylink::graph {
namespace {

template <typename Number>
using OptionalForm = std::optional<AffineForm<Number>>;

template <typename Number>
void add_term(AffineForm<Number>& form, const Monomial& monomial, Number coefficient) {
  const auto [entry, is_new] = form.try_emplace(monomial, coefficient);
  if (!is_new) entry->second += coefficient;
  if (entry->second == Number{0}) form.erase(entry);
}

template <typename Number>
AffineForm<Number> sum(const AffineForm<Number>& a, const AffineForm<Number>& b, Number factor) {
  AffineForm<Number> result = a;
  for (const auto& [monomial, coefficient] : b) add_term<Number>(result, monomial, factor * coefficient);
  return result;
}

template <typename Number>
bool is_rematerializable(const AffineForm<Number>& form) {
  return std::all_of(form.begin(), form.end(), [](const auto& term) { return term.first.is_rematerializable(); });
}

// The constant that the form is; none if it has other terms.
template <typename Number>
std::optional<Number> number_of(const AffineForm<Number>& form) {
  if (form.empty()) return Number{0};
  if (form.size() > 1 || form.begin()->first != Monomial{}) return std::nullopt;
  return form.begin()->second;
}

template <typename Number>
OptionalForm<Number> product(const AffineForm<Number>& a, const AffineForm<Number>& b) {
  if ((!is_rematerializable(a) && !is_rematerializable(b)) || a.size() * b.size() > AffineForms<Number>::kMostTerms)
    return std::nullopt;
  AffineForm<Number> result;
  for (const auto& [left, left_coefficient] : a)
    for (const auto& [right, right_coefficient] : b)
      add_term<Number>(result, left * right, left_coefficient * right_coefficient);
  return result;
}

// An operation's result by the forms of its operands.
template <typename Number>
struct Sums {
  using Result = AffineForm<Number>;
  using Operand = const AffineForm<Number>*;

  static Result scaled(Operand x, Number factor) { return sum<Number>({}, *x, factor); }

  Result add(Operand a, Operand b) const { return sum<Number>(*a, *b, 1); }
  Result subtract(Operand a, Operand b) const { return sum<Number>(*a, *b, static_cast<Number>(-1)); }
  Result negate(Operand x) const { return scaled(x, static_cast<Number>(-1)); }
  OptionalForm<Number> multiply(Operand a, Operand b) const { return product<Number>(*a, *b); }
  OptionalForm<Number> divide(Operand a, Operand b) const {
    const auto divisor = number_of(*b);
    if (!std::is_same_v<Number, double> || !divisor || *divisor == 0) return std::nullopt;
    return scaled(a, 1 / *divisor);
  }
  OptionalForm<Number> shift_left(Operand x, Operand places) const {
    const auto bits = number_of(*places);
    if (!bits || *bits > 31) return std::nullopt;
    return scaled(x, static_cast<Number>(1u << static_cast<std::uint32_t>(*bits)));
  }
  OptionalForm<Number> fused_multiply_add(Operand a, Operand b, Operand c) const {
    const auto scaled = product<Number>(*a, *b);
    return scaled ? std::optional(sum<Number>(*scaled, *c, 1)) : std::nullopt;
  }
  OptionalForm<Number> mix(Operand a, Operand b, Operand weight) const {
    const auto moved = product<Number>(subtract(b, a), *weight);
    return moved ? std::optional(sum<Number>(*a, *moved, 1)) : std::nullopt;
  }
};

}  // namespace

Monomial operator*(const Monomial& a, const Monomial& b) {
  Monomial result = {a.is_rematerializable() ? b.atom : a.atom, a.uniforms};
  result.uniforms.insert(result.uniforms.end(), b.uniforms.begin(), b.uniforms.end());
  std::sort(result.uniforms.begin(), result.uniforms.end());
  return result;
}

template <typename Number>
void AffineForms<Number>::add(const std::vector<ValueId>& values) {
  for (const ValueId part : parts_of(graph_, values))
    if (graph_[part].type == type_ && forms_.count(part) == 0) forms_.emplace(part, read(part));
}

template <typename Number>
AffineForm<Number> AffineForms<Number>::atom(ValueId value) const {
  return {{is_rematerializable_(value) ? Monomial{kNoValue, {value}} : Monomial{value, {}}, Number{1}}};
}

template <typename Number>
AffineForm<Number> AffineForms<Number>::read(ValueId id) const {
  const Value& value = graph_[id];
  std::optional<Form> form;
  if (value.kind == ValueKind::constant) form = constant(value);
  if (value.kind == ValueKind::operation) form = operation(value);
  return form && form->size() <= kMostTerms ? *form : atom(id);
}

template <typename Number>
std::optional<AffineForm<Number>> AffineForms<Number>::constant(const Value& value) const {
  Number number{};
  if constexpr (std::is_same_v<Number, double>) {
    float single = 0;
    std::memcpy(&single, value.words.data(), sizeof single);
    if (!std::isfinite(single)) return std::nullopt;
    number = single;
  } else {
    number = value.words.front();
  }
  Form form;
  add_term(form, Monomial{}, number);
  return form;
}

template <typename Number>
std::optional<AffineForm<Number>> AffineForms<Number>::operation(const Value& value) const {
  std::vector<const Form*> operands;
  if (value.no_contraction) return std::nullopt;
  for (const ValueId operand : value.operands) {
    const auto known = forms_.find(operand);
    if (known == forms_.end()) return std::nullopt;  // of another type
    operands.push_back(&known->second);
  }
  std::optional<Form> form = spirv::evaluate(Sums<Number>{}, spirv::row_of(value.op, value.glsl).formula,
                                             std::span<const Form* const>(operands));
  const bool is_finite = !form || std::all_of(form->begin(), form->end(), [](const auto& term) {
    return std::isfinite(static_cast<double>(term.second));
  });
  return is_finite ? form : std::nullopt;
}

template class AffineForms<double>;
template class AffineForms<std::uint32_t>;

}  // namespace varylink::graph
