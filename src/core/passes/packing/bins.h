// Items that may share locations, put into as few of them as possible.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "passes/packing/placement.h"

namespace varylink::passes {

using PlacedItems = std::vector<const PlacementItem*>;

// One location: a new one, or the free components of one that holds something already.
struct Bin {
  PlacedItems items;
  std::uint32_t used = 0;
  std::uint32_t held = 0;                 // components in use before the items came
  std::optional<std::uint32_t> location;  // of a bin that was placed before
  const PlacementItem* array = nullptr;   // of a bin beside array elements
  std::uint32_t element = 0;              // of the array, counted in locations

  bool is_new() const { return !location && !array; }
};

std::size_t new_bins(const std::vector<Bin>& bins);

// Items of one key in as few bins as possible besides `holes`; where that costs no bin,
// holes stay empty and vectors are divided as `options` say (rule ).
std::vector<Bin> bins_of(const PlacedItems& items, const std::vector<Bin>& holes, const PlacementOptions& options);

}  // namespace varylink::passes
