// Scalars as further components of the elements of an array, where they would need locations of their own otherwise.
#pragma once

#include <map>
#include <vector>

#include "link/model/link.h"
#include "passes/packing/placement.h"

namespace varylink::passes {

// The element and component of an array that a scalar becomes.
struct ArraySeat {
  varyings::Slot array;  // its old slot
  std::uint32_t element = 0, component = 0;
};

struct ArrayColumns {
  std::map<varyings::Slot, varyings::Slot> placement;  // of all items, old slot -> new slot
  std::map<varyings::Slot, ArraySeat> seats;           // by old slot, of the scalars that go into arrays
};

// Tries whether arrays of floats that the consumer indexes dynamically can take scalars that are interpolated like
// them, and does so where that needs fewer locations than `placement`. Only full columns: a component that only some
// elements use would cross the interface as well. Nothing that is mediump goes into an array that is not, and nothing
// that InterpolateAt instructions read. Shared interfaces are left alone.
ArrayColumns fill_array_columns(const link::Link& link, const std::vector<PlacementItem>& items,
                                std::map<varyings::Slot, varyings::Slot> placement, const PlacementOptions& options);

}  // namespace varylink::passes
