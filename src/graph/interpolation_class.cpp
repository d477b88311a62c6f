#include "graph/interpolation_class.h"

#include "base/seeded_fault.h"
#include "spirv/ir/operations.h"

namespace varylink::graph {

using spirv::Formula;

bool commutes(const Value& operation, ClassId interpolation_class, const std::vector<bool>& convergent) {
  if (interpolation_class < kFirstInterpolatedClass) return true;
  if (operation.no_contraction && !seeded_fault("move-ignores-precise")) return false;
  if (operation.type != varyings::ScalarType{varyings::ScalarKind::floating, 32}) return false;
  switch (spirv::row_of(operation.op, operation.glsl).formula) {
    case Formula::add:
    case Formula::subtract:
    case Formula::negate: return true;
    case Formula::multiply: return convergent[0] || convergent[1] || seeded_fault("move-product-of-interpolated");
    case Formula::divide: return convergent[seeded_fault("move-interpolated-divisor") ? 0 : 1];
    case Formula::select: return convergent[0];
    case Formula::fused_multiply_add: return convergent[0] || convergent[1];
    case Formula::mix: return convergent[2] || (convergent[0] && convergent[1]);
    default: return false;
  }
}

}  // namespace varylink::graph
