// Scalar values of a producer and a consumer as one graph in which equal values are one node. The minimum cut of it is
// the cheapest set of scalars to send.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "spirv/ir/module.h"
#include "spirv/ir/value_decorations.h"
#include "varyings/reflect/slot.h"

namespace varylink::graph {

// Number of a node. Operands have lower numbers than their users, so ascending order is topological and needs no
// recursion.
using ValueId = std::uint32_t;
inline constexpr ValueId kNoValue = 0xffffffffu;

enum class ValueKind : std::uint8_t {
  constant,         // words: its bits, low word first
  resource,         // words: a ResourceKey; the same in every stage that has the resource
  specialization,   // words: a SpecConstantKey; the same in every stage if these share their specialization data
  leaf,             // words: id and component; something only the producer can have
  per_store_point,  // operands: one value per place that stores (exit or emit), where they have nothing in common
  operation,        // op (and GLSL.std.450 number) over operands; words: the component, of undivided functions
};

struct Value {
  ValueKind kind = ValueKind::leaf;
  spv::Op op = spv::Op::OpNop;
  std::uint32_t glsl = 0;
  bool no_contraction = false;  // NoContraction: its operation sequence must stay as it is
  // Permissions of the operation (rule ). An operation without a permission is another value.
  spirv::Permissions permissions = 0;
  varyings::ScalarType type;
  std::vector<ValueId> operands;
  std::vector<std::uint32_t> words;

  auto tied() const { return std::tie(kind, op, glsl, no_contraction, permissions, type, operands, words); }
  friend bool operator==(const Value& a, const Value& b) { return a.tied() == b.tied(); }
};

class ValueGraph {
 public:
  // The node with this content, created if it does not exist. Operands of commutative operations are put in order. A
  // selection that is decided gives the selected node.
  ValueId intern(Value value);
  ValueId constant(varyings::ScalarType type, std::vector<std::uint32_t> bits);

  // The value that is `values[i]` at place i: the value itself if all are the same, the operation over merged operands
  // if all are the same operation, else a `per_store_point` node.
  ValueId merge_store_points(const std::vector<ValueId>& values);

  // Takes away the nodes from this number on.
  void forget_behind(std::size_t size);

  const Value& operator[](ValueId id) const { return values_[id]; }
  // Made of constants and what the draw is given only: no leaf and no per_store_point is a part of it.
  bool is_uniform(ValueId id) const { return uniform_[id]; }
  std::size_t size() const { return values_.size(); }

 private:
  ValueId merge_store_points(const std::vector<ValueId>& values, std::uint32_t depth);
  std::optional<ValueId> selected(const Value& value) const;
  void index_all(std::size_t size);

  static constexpr ValueId kNoValue = 0xffffffffu;

  std::vector<Value> values_;
  std::vector<std::size_t> hashes_;  // by value
  std::vector<bool> uniform_;        // by value
  std::vector<ValueId> places_;      // a table by hash: each value stands at the first place from its own that was free
  std::map<std::vector<ValueId>, ValueId> merged_;
};

// The values and all their operands, transitively. Ascending: operands first.
std::set<ValueId> parts_of(const ValueGraph& graph, std::vector<ValueId> values);

// Float arithmetic that a compiler may fuse with its user or its operands, rounding once instead of twice (SPIR-V,
// NoContraction).
bool is_rounded(const Value& value);
// The result has the rounding of one of its operands, and none of its own: -x, and a selection.
bool passes_on_rounding(const Value& value);

// Operations on scalars without other inputs or effects: arithmetic, conversions, comparisons, selects. Not derivatives
// (rule ), nor integer division, which could divide by zero once hoisted out of a branch (rule ); ValueReader
// admits it for constant divisors.
bool is_pure_scalar(spv::Op op, std::uint32_t glsl);

}  // namespace varylink::graph
