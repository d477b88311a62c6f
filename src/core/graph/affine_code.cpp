#include "graph/affine_code.h"

#include <algorithm>
#include <cstring>

#include "graph/value_reader.h"

namespace varylink::graph {
namespace {

using spv::Op;

bool is_negative(double number) { return number < 0; }
bool is_negative(std::uint32_t number) { return number > 0x80000000u; }

std::uint32_t bits_of(double number) {
  const auto single = static_cast<float>(number);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof bits);
  return bits;
}
std::uint32_t bits_of(std::uint32_t number) { return number; }

template <typename Number>
class Coder {
 public:
  Coder(ValueGraph& graph, varyings::ScalarType type)
      : graph_(graph), type_(type), is_float_(type.kind == varyings::ScalarKind::floating) {}

  // Another summand: coefficient * factors[0] * factors[1] ... The factors come before what they scale, so that what
  // is uniform is computed apart.
  void add(Number coefficient, std::vector<ValueId> factors) {
    const bool negative = is_negative(coefficient);
    if (negative) coefficient = Number{0} - coefficient;
    if (coefficient != Number{1} || factors.empty())
      factors.insert(factors.begin(), graph_.constant(type_, {bits_of(coefficient)}));
    ValueId product = factors.front();
    for (std::size_t i = 1; i < factors.size(); ++i)
      product = operation(is_float_ ? Op::OpFMul : Op::OpIMul, {product, factors[i]});
    (negative ? subtracted_ : added_).push_back(product);
  }

  ValueId sum() {
    if (added_.empty()) {
      added_.push_back(operation(is_float_ ? Op::OpFNegate : Op::OpSNegate, {subtracted_.front()}));
      subtracted_.erase(subtracted_.begin());
    }
    ValueId result = added_.front();
    for (std::size_t i = 1; i < added_.size(); ++i)
      result = operation(is_float_ ? Op::OpFAdd : Op::OpIAdd, {result, added_[i]});
    for (const ValueId value : subtracted_) result = operation(is_float_ ? Op::OpFSub : Op::OpISub, {result, value});
    return result;
  }

 private:
  ValueId operation(Op op, std::vector<ValueId> operands) {
    return graph_.intern(value_of({op, 0, false, type_, std::move(operands)}));
  }

  ValueGraph& graph_;
  varyings::ScalarType type_;
  bool is_float_;
  std::vector<ValueId> added_, subtracted_;
};

}  // namespace

template <typename Number>
ValueId code_of(ValueGraph& graph, varyings::ScalarType type, const AffineSum<Number>& sum,
                const std::vector<ValueId>& sent) {
  Coder<Number> coder(graph, type);
  for (const AffineTerm<Number>& term : sum.terms) {
    std::vector<ValueId> factors = term.factor.uniforms;
    factors.push_back(sent[term.row]);
    coder.add(term.coefficient, factors);
  }
  for (const auto& [monomial, coefficient] : sum.rest) coder.add(coefficient, monomial.uniforms);
  return coder.sum();
}

template ValueId code_of(ValueGraph&, varyings::ScalarType, const AffineSum<double>&, const std::vector<ValueId>&);
template ValueId code_of(ValueGraph&, varyings::ScalarType, const AffineSum<std::uint32_t>&,
                         const std::vector<ValueId>&);

}  // namespace varylink::graph
