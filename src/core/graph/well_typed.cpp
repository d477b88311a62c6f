#include "graph/well_typed.h"

#include <algorithm>

#include "graph/undivided_functions.h"
#include "spirv/ir/operations.h"

namespace varylink::graph {
namespace {

using spirv::Reading;
using spirv::Widths;
using varyings::ScalarKind;

bool has_kind(varyings::ScalarType type, Reading reading) {
  switch (reading) {
    case Reading::boolean: return type.kind == ScalarKind::boolean;
    case Reading::floating: return type.kind == ScalarKind::floating;
    case Reading::bits: return true;
    case Reading::none: return false;
    default: return type.kind == ScalarKind::sint || type.kind == ScalarKind::uint;
  }
}

// Functions of matrices give numbers of their own type; packing and unpacking lead between floats and words.
bool is_well_typed_undivided(const ValueGraph& graph, const Value& operation) {
  const auto shape = undivided_shape(operation.glsl, operation.operands.size());
  if (!shape || operation.words.size() != 1 || operation.words.front() >= shape->result.components()) return false;
  const varyings::ScalarType of = graph[operation.operands.front()].type;
  const bool are_alike = std::all_of(operation.operands.begin(), operation.operands.end(),
                                     [&](ValueId operand) { return graph[operand].type == of; });
  const auto is_float = [](varyings::ScalarType type) { return type.kind == ScalarKind::floating; };
  if (shape->operand.columns > 1) return are_alike && is_float(of) && operation.type == of;
  const bool packs = shape->operand.components() > 1;
  const varyings::ScalarType word = packs ? operation.type : of, number = packs ? of : operation.type;
  return are_alike && has_kind(word, Reading::integer) && word.width == 32 && is_float(number) && number.width == 32;
}

}  // namespace

bool is_well_typed(const ValueGraph& graph, const Value& operation) {
  const spirv::OperationRow& row = spirv::row_of(operation.op, operation.glsl);
  if (undivided_shape(operation.glsl, operation.operands.size())) return is_well_typed_undivided(graph, operation);
  if (!row.is_scalar_operation() || operation.operands.size() != row.operand_count ||
      !has_kind(operation.type, row.result))
    return false;
  const auto type_of = [&](std::size_t i) { return graph[operation.operands[i]].type; };
  for (std::size_t i = 0; i < row.operand_count; ++i)
    if (!has_kind(type_of(i), row.operands[i])) return false;
  const auto all_as_wide_as = [&](std::uint32_t width) {
    return std::all_of(operation.operands.begin(), operation.operands.end(),
                       [&](ValueId operand) { return graph[operand].type.width == width; });
  };
  switch (row.widths) {
    case Widths::uniform: {
      const bool casts_truth = row.formula == spirv::Formula::bit_cast &&
                               (operation.type.kind == ScalarKind::boolean || type_of(0).kind == ScalarKind::boolean);
      return all_as_wide_as(operation.type.width) && !casts_truth;
    }
    case Widths::comparison: return all_as_wide_as(type_of(0).width);
    case Widths::first: return type_of(0).width == operation.type.width;
    case Widths::insertion: return type_of(0).width == operation.type.width && type_of(1).width == operation.type.width;
    case Widths::conversion: return true;
    case Widths::choice: return type_of(1) == operation.type && type_of(2) == operation.type;
  }
  return false;
}

}  // namespace varylink::graph
