// Values that are equal at all vertices of a primitive cross unchanged in any interpolation class, and unread
// components are not interpolated: both may travel in the locations of any class.
#pragma once

#include <vector>

#include "passes/packing/placement.h"

namespace varylink::passes {

// The items with the interpolations that need the fewest locations. Variables that are `unread` take the one whose
// locations they fill best. Of the others only `convergent` ones change theirs, and only to fill free components of
// other items' locations or to share a flat location: flat gives the exact value, where interpolation of equal values
// may round. Items that are interpolated per sample stay so, since they may be the reason for a run of the fragment
// shader per sample (rule ).
std::vector<PlacementItem> with_chosen_interpolations(std::vector<PlacementItem> items);

}  // namespace varylink::passes
