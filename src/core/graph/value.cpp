#include "graph/value.h"

#include <algorithm>

#include "base/word_hash.h"
#include "spirv/ir/operations.h"

namespace varylink::graph {
namespace {

using spv::Op;

// Beyond this, values at different places count as having nothing in common; deeper expressions are not recursed into.
constexpr std::uint32_t kMaxMergeDepth = 64;

const spirv::OperationRow& row_of(const Value& value) { return spirv::row_of(value.op, value.glsl); }

std::size_t hash_of(const Value& value) {
  WordHash hash;
  hash.add(static_cast<std::uint32_t>(value.kind));
  hash.add(static_cast<std::uint32_t>(value.op));
  hash.add(value.glsl);
  hash.add(value.operands);
  hash.add(value.words);
  return hash.value();
}

}  // namespace

// The value of a selection that needs no computation: between a value and itself that value, by a constant the selected
// value.
std::optional<ValueId> ValueGraph::selected(const Value& value) const {
  if (value.kind != ValueKind::operation || value.op != Op::OpSelect) return std::nullopt;
  const auto& operands = value.operands;
  if (operands[1] == operands[2]) return operands[1];
  const Value& condition = values_[operands[0]];
  if (condition.kind != ValueKind::constant) return std::nullopt;
  return operands[condition.words.front() != 0 ? 1 : 2];
}

ValueId ValueGraph::intern(Value value) {
  if (const auto decided = selected(value)) return *decided;
  if (value.kind == ValueKind::operation && row_of(value).is(spirv::kCommutes))
    std::sort(value.operands.begin(), value.operands.end());
  const std::size_t hash = hash_of(value);
  if (2 * values_.size() >= places_.size()) index_all(std::max<std::size_t>(64, 2 * places_.size()));
  std::size_t place = hash & (places_.size() - 1);
  for (; places_[place] != kNoValue; place = (place + 1) & (places_.size() - 1))
    if (hashes_[places_[place]] == hash && values_[places_[place]] == value) return places_[place];
  const auto added = static_cast<ValueId>(values_.size());
  places_[place] = added;
  hashes_.push_back(hash);
  uniform_.push_back(
      value.kind != ValueKind::leaf && value.kind != ValueKind::per_store_point &&
      std::all_of(value.operands.begin(), value.operands.end(), [&](ValueId operand) { return uniform_[operand]; }));
  values_.push_back(std::move(value));
  return added;
}

// `size`: a power of two, at least twice the number of values.
void ValueGraph::index_all(std::size_t size) {
  places_.assign(size, kNoValue);
  for (std::size_t id = 0; id < values_.size(); ++id) {
    std::size_t place = hashes_[id] & (size - 1);
    while (places_[place] != kNoValue) place = (place + 1) & (size - 1);
    places_[place] = static_cast<ValueId>(id);
  }
}

void ValueGraph::forget_behind(std::size_t size) {
  if (size < values_.size()) {
    values_.resize(size);
    hashes_.resize(size);
    uniform_.resize(size);
    index_all(places_.size());
  }
  std::erase_if(merged_, [&](const auto& entry) {
    const auto is_gone = [&](ValueId id) { return id >= size; };
    return is_gone(entry.second) || std::any_of(entry.first.begin(), entry.first.end(), is_gone);
  });
}

ValueId ValueGraph::constant(varyings::ScalarType type, std::vector<std::uint32_t> bits) {
  Value value;
  value.kind = ValueKind::constant;
  value.type = type;
  value.words = std::move(bits);
  return intern(std::move(value));
}

ValueId ValueGraph::merge_store_points(const std::vector<ValueId>& values) { return merge_store_points(values, 0); }

ValueId ValueGraph::merge_store_points(const std::vector<ValueId>& values, std::uint32_t depth) {
  if (std::all_of(values.begin(), values.end(), [&](ValueId id) { return id == values.front(); }))
    return values.front();
  if (const auto found = merged_.find(values); found != merged_.end()) return found->second;
  Value result = values_[values.front()];
  const bool alike = depth < kMaxMergeDepth && std::all_of(values.begin(), values.end(), [&](ValueId id) {
                       const Value& other = values_[id];
                       return other.kind == ValueKind::operation && other.kind == result.kind &&
                              other.op == result.op && other.glsl == result.glsl &&
                              other.no_contraction == result.no_contraction && other.type == result.type &&
                              other.words == result.words && other.operands.size() == result.operands.size();
                     });
  if (alike) {
    for (const ValueId id : values) result.permissions &= values_[id].permissions;
    for (std::size_t i = 0; i < result.operands.size(); ++i) {
      std::vector<ValueId> column;
      for (const ValueId id : values) column.push_back(values_[id].operands[i]);
      result.operands[i] = merge_store_points(column, depth + 1);
    }
  } else {
    const varyings::ScalarType type = result.type;
    result = Value{};
    result.kind = ValueKind::per_store_point;
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

bool is_rounded(const Value& value) {
  if (value.kind != ValueKind::operation || value.type.kind != varyings::ScalarKind::floating) return false;
  switch (row_of(value).formula) {
    case spirv::Formula::add:
    case spirv::Formula::subtract:
    case spirv::Formula::multiply:
    case spirv::Formula::divide:
    case spirv::Formula::fused_multiply_add:
    case spirv::Formula::mix: return true;
    default: return false;
  }
}

bool passes_on_rounding(const Value& value) {
  return value.kind == ValueKind::per_store_point ||
         (value.kind == ValueKind::operation && (value.op == Op::OpFNegate || value.op == Op::OpSelect));
}

bool is_pure_scalar(Op op, std::uint32_t glsl) {
  const spirv::OperationRow& row = spirv::row_of(op, glsl);
  return row.is_scalar_operation() && !row.is(spirv::kPartial);
}

}  // namespace varylink::graph
