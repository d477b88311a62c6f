// Scalars as sums: a constant and multiples of other values, as far down as the code is affine.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "graph/value.h"

namespace varylink::graph {

// A product of at most one value that only the producer has, the atom, and of values that the consumer has as well.
struct Monomial {
  ValueId atom = kNoValue;        // kNoValue: the consumer can compute all of it
  std::vector<ValueId> uniforms;  // ascending; none and no atom: the number 1
  bool is_rematerializable() const { return atom == kNoValue; }
  friend auto operator<=>(const Monomial&, const Monomial&) = default;
};

Monomial operator*(const Monomial& a, const Monomial& b);  // one of the two has no atom

// Interpolation of every class commutes with it. Number: double for 32-bit floating point, std::uint32_t for
// 32-bit integers, whose arithmetic is modulo 2^32 and exact.
template <typename Number>
using AffineForm = std::map<Monomial, Number>;

// Affine forms of values of one scalar type: 32-bit floating point or integers. Operations that are NoContraction, that
// are not affine, or whose form would have more than kMostTerms terms are atoms.
template <typename Number>
class AffineForms {
 public:
  static constexpr std::size_t kMostTerms = 16;

  // `is_rematerializable`: whether the consumer can compute the value by itself.
  AffineForms(const ValueGraph& graph, varyings::ScalarType type, std::function<bool(ValueId)> is_rematerializable)
      : graph_(graph), type_(type), is_rematerializable_(std::move(is_rematerializable)) {}

  // Forms of the values and of everything they are made of.
  void add(const std::vector<ValueId>& values);
  const AffineForm<Number>& operator[](ValueId value) const { return forms_.at(value); }

 private:
  using Form = AffineForm<Number>;

  Form read(ValueId value) const;
  Form atom(ValueId value) const;
  std::optional<Form> constant(const Value& value) const;
  std::optional<Form> operation(const Value& value) const;

  const ValueGraph& graph_;
  varyings::ScalarType type_;
  std::function<bool(ValueId)> is_rematerializable_;
  std::map<ValueId, Form> forms_;
};

extern template class AffineForms<double>;
extern template class AffineForms<std::uint32_t>;

}  // namespace varylink::graph
