#include "analysis/folded_operations.h"

#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"

namespace varylink::analysis {
namespace {

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
  const std::uint32_t first = spirv::first_value_operand(module, inst);
  const auto operand = [&](std::uint32_t position) {
    return values.component(module.operand(inst, first + position).word, index);
  };
  const spirv::OperationRow& row = spirv::row_of(module, inst);
  const bool is_float = row.reads(spirv::Reading::floating) || !row.is_scalar_operation();
  if (!is_float) return std::nullopt;
  switch (row.formula) {
    case spirv::Formula::multiply: return folded_product(operand(0), operand(1));
    case spirv::Formula::add:
    case spirv::Formula::subtract: return folded_sum(operand(0), operand(1));
    case spirv::Formula::divide: return operand(1) == kOne ? std::optional(operand(0)) : std::nullopt;
    case spirv::Formula::clamp: break;
    default: return std::nullopt;
  }
  const NodeId clamped = operand(0);
  const bool is_modifier = operand(1) == kZero && operand(2) == kOne && !is_constant(clamped);
  return is_modifier && takes_modifier(graph.nodes[clamped].op_class) ? std::optional(clamped) : std::nullopt;
}

}  // namespace varylink::analysis
