// The varyings of an interface as items to be placed.
#pragma once

#include <map>
#include <vector>

#include "link/model/link.h"
#include "passes/packing/placement.h"

namespace varylink::passes {

// Every varying of the interface once: the consumer's description where it has one (its qualifiers count, rule ),
// else the producer's. By slot.
std::map<varyings::Slot, varyings::Varying> all_varyings(const link::Link& link);

// Some consumer has it as an input.
bool is_read(const link::Link& link, varyings::Slot slot);

// One item for each of `all`, in their order.
std::vector<PlacementItem> placement_items(const link::Link& link,
                                           const std::map<varyings::Slot, varyings::Varying>& all);

}  // namespace varylink::passes
