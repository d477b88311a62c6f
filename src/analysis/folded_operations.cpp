#include "analysis/folded_operations.h"

#include <spirv/unified1/GLSL.std.450.h>

namespace varylink::analysis {
namespace {

using spv::Op;

bool takes_modifier(OpClass op_class) {
  return op_class == OpClass::basic || op_class == OpClass::float_divide || op_class == OpClass::special ||
         op_class == OpClass::power;
}

}  // namespace

std::optional<NodeId> folded_product(NodeId a, NodeId b) {
  if (a == kZero || b == kZero) return kZero;
  if (a == kOne) return b;
  return b == kOne ? std::optional(a) : std::nullopt;
}

std::optional<NodeId> folded_sum(NodeId a, NodeId b) {
  if (a == kZero) return b == kOne ? kNoNode : b;  // 0 - 1 is not 1
  return b == kZero ? std::optional(a) : std::nullopt;
}

std::optional<NodeId> folded_operation(const OperationGraph& graph, const ComponentNodes& values,
                                       const spirv::Module& module, spirv::InstRef inst, std::uint32_t index) {
  const auto operand = [&](std::uint32_t position) {
    return values.component(module.operand(inst, position).word, index);
  };
  switch (module[inst].op) {
    case Op::OpFMul:
    case Op::OpVectorTimesScalar:
    case Op::OpMatrixTimesScalar: return folded_product(operand(0), operand(1));
    case Op::OpFAdd:
    case Op::OpFSub: return folded_sum(operand(0), operand(1));
    case Op::OpFDiv: return operand(1) == kOne ? std::optional(operand(0)) : std::nullopt;
    case Op::OpExtInst: break;
    default: return std::nullopt;
  }
  const std::uint32_t number = module.operand(inst, 1).word;
  if (number != GLSLstd450FClamp && number != GLSLstd450NClamp) return std::nullopt;
  const NodeId clamped = operand(2);
  const bool is_modifier = operand(3) == kZero && operand(4) == kOne && !is_constant(clamped);
  return is_modifier && takes_modifier(graph.nodes[clamped].op_class) ? std::optional(clamped) : std::nullopt;
}

}  // namespace varylink::analysis
