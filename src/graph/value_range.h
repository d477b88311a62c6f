// What numbers a value can be: proved bounds of integers, and values that are one of two constants. Intervals, since
// packing asks for a number of bits; varyings/lift/index_values.h lists the elements that an index selects, before
// there is a graph.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "graph/value.h"

namespace varylink::graph {

// Sound for what is defined: undefined operands may give anything.
struct ValueRange {
  // Both included, as the type of the value reads its bits. Means nothing for floating point.
  std::int64_t least = 0, greatest = 0;
  // The value is one of these bit patterns, ascending; at most kMostConstants. Empty: not known to be one of a few.
  std::vector<std::uint32_t> constants;
  static constexpr std::size_t kMostConstants = 2;
};

// Every number of the type.
ValueRange full_range(varyings::ScalarType type);
// Whatever is in one or the other.
ValueRange either(const ValueRange& a, const ValueRange& b);

// Ranges of 32-bit scalars and booleans.
class ValueRanges {
 public:
  // Range of a leaf; may call of() for other values.
  using LeafRange = std::function<ValueRange(ValueId)>;
  ValueRanges(const ValueGraph& graph, LeafRange leaf_range) : graph_(graph), leaf_range_(std::move(leaf_range)) {}

  // Values that are made of themselves, through leaves, have the full range on the way.
  ValueRange of(ValueId value);

 private:
  ValueRange compute(ValueId value) const;
  ValueRange of_operation(const Value& value) const;
  ValueRange operand_as_read(const Value& value, std::size_t index) const;
  const ValueRange& operand(const Value& value, std::size_t index) const { return known_.at(value.operands[index]); }

  const ValueGraph& graph_;
  LeafRange leaf_range_;
  std::map<ValueId, ValueRange> known_;
};

}  // namespace varylink::graph
