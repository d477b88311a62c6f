#include "graph/interpolation_class.h"

#include <algorithm>
#include <iterator>

#include "base/seeded_fault.h"
#include "spirv/ir/evaluate.h"

namespace varylink::graph {

namespace {

// Whether the interpolated result is the result of the interpolated operands: which are convergent.
struct Linear {
  using Result = bool;
  bool add(bool, bool) const { return true; }
  bool subtract(bool, bool) const { return true; }
  bool negate(bool) const { return true; }
  bool multiply(bool a, bool b) const { return a || b || seeded_fault("move-product-of-interpolated"); }
  bool divide(bool a, bool b) const { return seeded_fault("move-interpolated-divisor") ? a : b; }
  bool select(bool condition, bool, bool) const { return condition; }
  bool fused_multiply_add(bool a, bool b, bool) const { return a || b; }
  bool mix(bool a, bool b, bool weight) const { return weight || (a && b); }
};

}  // namespace

bool commutes(const Value& operation, ClassId interpolation_class, const std::vector<bool>& convergent) {
  if (interpolation_class < kFirstInterpolatedClass) return true;
  if (operation.no_contraction && !seeded_fault("move-ignores-precise")) return false;
  if (operation.type != varyings::ScalarType{varyings::ScalarKind::floating, 32}) return false;
  bool operands[3] = {};
  if (convergent.size() > std::size(operands)) return false;
  std::copy(convergent.begin(), convergent.end(), operands);
  return spirv::evaluate(Linear{}, spirv::row_of(operation.op, operation.glsl).formula,
                         std::span<const bool>(operands, convergent.size()))
      .value_or(false);
}

}  // namespace varylink::graph
