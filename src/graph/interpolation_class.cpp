#include "graph/interpolation_class.h"

#include <spirv/unified1/GLSL.std.450.h>

#include "base/seeded_fault.h"

namespace varylink::graph {

using spv::Op;

bool commutes(const Value& operation, ClassId interpolation_class, const std::vector<bool>& convergent) {
  if (interpolation_class < kFirstInterpolatedClass) return true;
  if (operation.no_contraction && !seeded_fault("move-ignores-precise")) return false;
  if (operation.type != varyings::ScalarType{varyings::ScalarKind::floating, 32}) return false;
  switch (operation.op) {
    case Op::OpFAdd:
    case Op::OpFSub:
    case Op::OpFNegate: return true;
    case Op::OpFMul: return convergent[0] || convergent[1] || seeded_fault("move-product-of-interpolated");
    case Op::OpFDiv: return convergent[seeded_fault("move-interpolated-divisor") ? 0 : 1];
    case Op::OpSelect: return convergent[0];
    case Op::OpExtInst:
      if (operation.glsl == GLSLstd450Fma) return convergent[0] || convergent[1];
      if (operation.glsl == GLSLstd450FMix) return convergent[2] || (convergent[0] && convergent[1]);
      return false;
    default: return false;
  }
}

}  // namespace varylink::graph
