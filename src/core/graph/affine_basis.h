// Which of several affine forms have to be sent so that the others can be computed from them: rank reduction, with the
// sent forms chosen among those that are there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "graph/affine_form.h"

namespace varylink::graph {

// coefficient * product of `uniforms` * sent form number `row`
template <typename Number>
struct AffineTerm {
  std::size_t row = 0;
  Monomial factor;  // rematerializable
  Number coefficient{};
};

// A form as a sum over sent forms and over monomials that the consumer computes by itself.
template <typename Number>
struct AffineSum {
  std::vector<AffineTerm<Number>> terms;  // at least one
  AffineForm<Number> rest;                // rematerializable monomials only
};

// The forms sent so far. Elimination in floating point works on the coefficients of the code as doubles; a coefficient
// that differs from zero by less than a rounding of the float terms it came from is zero. A sum must be well
// conditioned: with c(i) the coefficients, b(i) the sent forms, r the form that it stands for, and |.| the sum of all
// magnitudes in a form,
//   sum of |c(i)| * |b(i)|  <=  kMostAmplification * |r|     and     |c(i)| <= kMostCoefficient,
// so that for atoms of comparable size rounding grows by no more than that. Uniforms may be of any size: the first
// holds for the terms of each product of uniforms by themselves. Integers are exact modulo 2^32; there only odd numbers
// divide.
template <typename Number>
class AffineBasis {
 public:
  static constexpr double kMostAmplification = 4;
  static constexpr double kMostCoefficient = 0x1p24;  // with larger ones an underflow of the sent form could matter

  // `factors`: rematerializable monomials that sent forms may be multiplied by, the number 1 not among them.
  explicit AffineBasis(const std::vector<Monomial>& factors, double most_amplification = kMostAmplification)
      : factors_{Monomial{}}, most_amplification_(most_amplification) {
    factors_.insert(factors_.end(), factors.begin(), factors.end());
  }

  // The form as a sum over those sent; none if it is independent of them or the sum would be ill conditioned.
  std::optional<AffineSum<Number>> express(const AffineForm<Number>& form) const;

  // The form is sent. Sent forms are numbered in the order of these calls.
  void send(const AffineForm<Number>& form);

 private:
  using Form = AffineForm<Number>;
  using Generator = std::pair<std::size_t, std::size_t>;  // sent form, factor
  using Combination = std::map<Generator, Number>;

  // A form without rematerializable terms, as a combination of generators, that no later one has the pivot of.
  struct Reduced {
    Form form;
    Monomial pivot;
    Combination combination;
  };

  Form generated(Generator generator) const;
  void reduce(Form& form, Combination& combination) const;
  std::optional<AffineSum<Number>> checked(const Form& form, const Combination& combination) const;
  bool is_ill_conditioned(const Form& form, const Form& size) const;

  std::vector<Monomial> factors_;
  double most_amplification_;
  std::vector<Form> sent_;
  std::vector<Reduced> reduced_;
};

extern template class AffineBasis<double>;
extern template class AffineBasis<std::uint32_t>;

}  // namespace varylink::graph
