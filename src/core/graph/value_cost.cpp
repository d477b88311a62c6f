#include "graph/value_cost.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <map>

#include "analysis/operation_cost.h"
#include "graph/undivided_functions.h"

namespace varylink::graph {

namespace {

analysis::Operation operation_of(const graph::Value& value) {
  analysis::Operation operation;
  operation.width = std::max(value.type.width, 32u);
  if (value.kind == graph::ValueKind::resource) {
    operation.op = spv::Op::OpLoad;
    operation.storage = spv::StorageClass::Uniform;
  } else if (value.kind == graph::ValueKind::operation) {
    operation.op = value.op;
    operation.glsl = value.glsl;
    if (const auto shape = undivided_shape(value.glsl, value.operands.size())) operation.length = shape->operand.rows;
  }
  return operation;
}

// Of one component of an inverse: the determinant by which all are divided, and its part of the rest.
double cost_of_inverse(const analysis::CostProfile& profile, analysis::Operation inverse) {
  const double whole = analysis::cost_of(profile, inverse);
  inverse.glsl = GLSLstd450Determinant;
  const double determinant = analysis::cost_of(profile, inverse);
  return determinant + (whole - determinant) / (inverse.length * inverse.length);
}

double cost_of_operation(const analysis::CostProfile& profile, const analysis::Operation& operation) {
  const bool is_inverse = operation.op == spv::Op::OpExtInst && operation.glsl == GLSLstd450MatrixInverse;
  return is_inverse ? cost_of_inverse(profile, operation) : analysis::cost_of(profile, operation);
}

double cost_in(const analysis::CostProfile& profile, const graph::ValueGraph& graph, const graph::Value& node) {
  analysis::Operation operation = operation_of(node);
  if (node.op == spv::Op::OpFDiv && !node.no_contraction && graph[node.operands[1]].kind == graph::ValueKind::constant)
    operation.right = analysis::RightOperand::constant;
  return cost_of_operation(profile, operation);
}

}  // namespace

double cost_of(const analysis::CostProfile& profile, const graph::Value& value) {
  return cost_of_operation(profile, operation_of(value));
}

double cost_of(const analysis::CostProfile& profile, const graph::ValueGraph& graph,
               const std::set<graph::ValueId>& values) {
  std::map<graph::ValueId, int> uses;
  for (const graph::ValueId value : values)
    for (const graph::ValueId operand : graph[value].operands) ++uses[operand];
  double cost = 0;
  for (const graph::ValueId value : values) {
    const graph::Value& node = graph[value];
    cost += cost_in(profile, graph, node);
    if (node.no_contraction || (node.op != spv::Op::OpFAdd && node.op != spv::Op::OpFSub)) continue;
    const auto fused = std::find_if(node.operands.begin(), node.operands.end(), [&](graph::ValueId operand) {
      return values.count(operand) != 0 && uses[operand] == 1 && graph[operand].op == spv::Op::OpFMul &&
             !graph[operand].no_contraction;
    });
    if (fused != node.operands.end()) cost -= cost_of(profile, graph[*fused]);
  }
  return cost;
}

double uniform_cost_limit(const analysis::CostProfile& profile, Stage consumer) {
  switch (consumer) {
    case Stage::tess_control: return 1000;
    case Stage::fragment: return profile.uniform_limit;
    default: return 14;
  }
}

}  // namespace varylink::graph
