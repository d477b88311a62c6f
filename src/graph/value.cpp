#include "graph/value.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>

namespace varylink::graph {
namespace {

using spv::Op;

// Beyond this, values at different places count as having nothing in common; deeper expressions are not recursed into.
constexpr std::uint32_t kMaxMergeDepth = 64;

bool in_range(Op op, Op first, Op last) {
  return static_cast<unsigned>(op) >= static_cast<unsigned>(first) &&
         static_cast<unsigned>(op) <= static_cast<unsigned>(last);
}

bool is_commutative(const Value& value) {
  switch (value.op) {
    case Op::OpIAdd:
    case Op::OpFAdd:
    case Op::OpIMul:
    case Op::OpFMul:
    case Op::OpBitwiseAnd:
    case Op::OpBitwiseOr:
    case Op::OpBitwiseXor:
    case Op::OpLogicalAnd:
    case Op::OpLogicalOr:
    case Op::OpIEqual:
    case Op::OpINotEqual: return true;
    default: return false;
  }
}

}  // namespace

// What a selection is without being computed: between a value and itself that value, by a constant what it selects.
std::optional<ValueId> ValueGraph::selected(const Value& value) const {
  if (value.kind != ValueKind::operation || value.op != Op::OpSelect) return std::nullopt;
  const auto& operands = value.operands;
  if (operands[1] == operands[2]) return operands[1];
  const Value& condition = values_[operands[0]];
  if (condition.kind != ValueKind::constant) return std::nullopt;
  return operands[condition.words.front() != 0 ? 1 : 2];
}

ValueId ValueGraph::intern(Value value) {
  if (const auto known = selected(value)) return *known;
  if (value.kind == ValueKind::operation && is_commutative(value))
    std::sort(value.operands.begin(), value.operands.end());
  const auto [entry, is_new] = index_.try_emplace(value, static_cast<ValueId>(values_.size()));
  if (is_new) values_.push_back(std::move(value));
  return entry->second;
}

ValueId ValueGraph::constant(varyings::ScalarType type, std::vector<std::uint32_t> bits) {
  Value value;
  value.kind = ValueKind::constant;
  value.type = type;
  value.words = std::move(bits);
  return intern(std::move(value));
}

ValueId ValueGraph::merge_sites(const std::vector<ValueId>& values) { return merge_sites(values, 0); }

ValueId ValueGraph::merge_sites(const std::vector<ValueId>& values, std::uint32_t depth) {
  if (std::all_of(values.begin(), values.end(), [&](ValueId id) { return id == values.front(); }))
    return values.front();
  if (const auto found = merged_.find(values); found != merged_.end()) return found->second;
  Value result = values_[values.front()];
  const bool alike = depth < kMaxMergeDepth && std::all_of(values.begin(), values.end(), [&](ValueId id) {
                       const Value& other = values_[id];
                       return other.kind == ValueKind::operation && other.kind == result.kind &&
                              other.op == result.op && other.glsl == result.glsl &&
                              other.no_contraction == result.no_contraction && other.type == result.type &&
                              other.operands.size() == result.operands.size();
                     });
  if (alike) {
    for (std::size_t i = 0; i < result.operands.size(); ++i) {
      std::vector<ValueId> column;
      for (const ValueId id : values) column.push_back(values_[id].operands[i]);
      result.operands[i] = merge_sites(column, depth + 1);
    }
  } else {
    const varyings::ScalarType type = result.type;
    result = Value{};
    result.kind = ValueKind::sites;
    result.type = type;
    result.operands = values;
  }
  const ValueId id = intern(std::move(result));
  merged_.emplace(values, id);
  return id;
}

std::set<ValueId> parts_of(const ValueGraph& graph, std::vector<ValueId> values) {
  std::set<ValueId> parts;
  while (!values.empty()) {
    const ValueId part = values.back();
    values.pop_back();
    if (!parts.insert(part).second) continue;
    values.insert(values.end(), graph[part].operands.begin(), graph[part].operands.end());
  }
  return parts;
}

bool is_pure_scalar_op(Op op) {
  if (in_range(op, Op::OpConvertFToU, Op::OpFConvert) || op == Op::OpBitcast) return true;
  if (in_range(op, Op::OpLogicalEqual, Op::OpFUnordGreaterThanEqual)) return true;
  if (in_range(op, Op::OpShiftRightLogical, Op::OpNot)) return true;
  switch (op) {
    case Op::OpSNegate:
    case Op::OpFNegate:
    case Op::OpIAdd:
    case Op::OpFAdd:
    case Op::OpISub:
    case Op::OpFSub:
    case Op::OpIMul:
    case Op::OpFMul:
    case Op::OpFDiv:
    case Op::OpFRem:
    case Op::OpFMod:
    case Op::OpIsNan:
    case Op::OpIsInf: return true;
    default: return false;
  }
}

bool is_pure_scalar_glsl(std::uint32_t number) {
  if (number >= GLSLstd450Round && number <= GLSLstd450InverseSqrt) return true;
  return (number >= GLSLstd450FMin && number <= GLSLstd450Fma) ||
         (number >= GLSLstd450NMin && number <= GLSLstd450NClamp);
}

}  // namespace varylink::graph
