// Scalar values as a graph in which equal values are one node: what a producer computes, and what a consumer computes
// from it, in one set of expressions. This is what "the cheapest set of scalars to send" is asked of.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "spirv/ir/module.h"
#include "varyings/reflect/slot.h"

namespace varylink::graph {

// Number of a node. Operands have lower numbers than what they are operands of, so ascending order is a topological
// one and nobody needs to recurse.
using ValueId = std::uint32_t;
inline constexpr ValueId kNoValue = 0xffffffffu;

enum class ValueKind : std::uint8_t {
  constant,        // words: its bits, low word first
  resource,        // words: a ResourceKey; the same in every stage that has the resource
  specialization,  // words: a SpecConstantKey; the same in every stage if these share their specialization data
  leaf,            // words: id and component; something only the producer can have
  sites,           // operands: one value per place that stores (exit or emit), where they have nothing in common
  operation,       // op (and GLSL.std.450 number) over operands
};

struct Value {
  ValueKind kind = ValueKind::leaf;
  spv::Op op = spv::Op::OpNop;
  std::uint32_t glsl = 0;
  bool no_contraction = false;  // NoContraction: its operation sequence must stay as it is
  varyings::ScalarType type;
  std::vector<ValueId> operands;
  std::vector<std::uint32_t> words;

  auto tied() const { return std::tie(kind, op, glsl, no_contraction, type, operands, words); }
  friend bool operator<(const Value& a, const Value& b) { return a.tied() < b.tied(); }
};

class ValueGraph {
 public:
  // The node with this content; a new one if there is none yet. Operands of commutative operations are put in order.
  // For a selection that needs no computing the node that it selects.
  ValueId intern(Value value);
  ValueId constant(varyings::ScalarType type, std::vector<std::uint32_t> bits);

  // The value that is `values[i]` at place i: the value itself if all are the same, the operation over merged operands
  // if all are the same operation, else a `sites` node.
  ValueId merge_sites(const std::vector<ValueId>& values);

  const Value& operator[](ValueId id) const { return values_[id]; }
  std::size_t size() const { return values_.size(); }

 private:
  ValueId merge_sites(const std::vector<ValueId>& values, std::uint32_t depth);
  std::optional<ValueId> selected(const Value& value) const;

  std::vector<Value> values_;
  std::map<Value, ValueId> index_;
  std::map<std::vector<ValueId>, ValueId> merged_;
};

// The values with everything they are made of. Ascending: operands first.
std::set<ValueId> parts_of(const ValueGraph& graph, std::vector<ValueId> values);

// Operations that are computed from their operands alone, wherever they stand and whatever these are: arithmetic,
// conversions, comparisons, selects, on scalars. Derivatives are not among them (rule ), and neither is integer
// division, since hoisting it out of a branch could make it divide by zero (rule ); ValueReader admits it for
// constant divisors.
bool is_pure_scalar_op(spv::Op op);
// The same for GLSL.std.450.
bool is_pure_scalar_glsl(std::uint32_t number);

}  // namespace varylink::graph
