// Outputs to which a stage always stores the same value, so that they may be merged (rule ).
#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "link/values/slot_values.h"

namespace varylink::link {

// A store at one place: the value, the index of the vertex, and the position of the store if the order matters.
//
// Outputs of vertex, evaluation and geometry stages are stored at exits and emits, each at all of them. Elsewhere they
// are memory that several invocations write, and stores can be compared by value only if they stand in the same block
// and nothing there tells their order: behind a barrier another invocation's store is overwritten.
struct PlacedStore {
  ScalarValue value;
  std::vector<spirv::Id> indices;
  std::uint32_t function = 0, block = 0, segment = 0;
  friend auto operator<=>(const PlacedStore&, const PlacedStore&) = default;
};

// The stores of one stage. A snapshot.
class StoredAlike {
 public:
  explicit StoredAlike(const LinkedStage& producer);

  // Outputs with equal lists always hold the same. None if that cannot be said of the slot: it is captured, not on the
  // stream that is rasterized, or stored with something undefined, which need not be equal to itself.
  std::optional<std::vector<PlacedStore>> stores_of(varyings::Slot slot) const;

  const StoreTable& table() const { return table_; }

 private:
  Stage stage_;
  StoreTable table_;
  std::vector<spirv::Place> places_;     // by instruction
  std::vector<std::uint32_t> segments_;  // likewise
};

}  // namespace varylink::link
