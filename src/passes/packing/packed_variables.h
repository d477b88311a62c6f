// Which components may be parts of one variable, and the variables that a placement makes of them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "link/model/link.h"
#include "passes/packing/array_columns.h"
#include "passes/packing/placement.h"

namespace varylink::passes {

// What keeps two components from being parts of one variable, besides what PackKey says.
class Separation {
 public:
  // Refers to the link.
  Separation(const link::Link& link, const std::map<varyings::Slot, varyings::Varying>& all);

  bool may_join(const varyings::Varying& a, const varyings::Varying& b) const;

  // The items in groups such that every location will hold one variable, which then needs no Component decoration: what
  // GLSL, HLSL and Metal take from spirv-cross. Components of different precision are in different groups if
  // `by_precision`.
  std::vector<PlacementItem> grouped(const std::map<varyings::Slot, varyings::Varying>& all,
                                     std::vector<PlacementItem> items, bool by_precision) const;

 private:
  // For each patch varying the blocks of its stores, as (producer, function, block). Any invocation of a patch may
  // write its patch outputs. Two of them may be written by two invocations at once, which is safe for two variables but
  // not for two components of one vector (rule ), unless the same invocation stores both.
  using StoreBlocks = std::map<varyings::Slot, std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>>>;

  static StoreBlocks store_blocks(const link::Link& link, const std::map<varyings::Slot, varyings::Varying>& all);

  const link::Link& link_;
  StoreBlocks stored_in_;
  std::set<varyings::Slot> interpolated_;
};

// Where everything goes, and what is interpolated in another way than before.
struct Packing {
  std::map<varyings::Slot, varyings::Slot> placement;
  std::map<varyings::Slot, varyings::Interpolation> interpolation;
  std::map<varyings::Slot, ArraySeat> seats;  // of scalars that become components of arrays
};

// Runs of neighbouring components become one variable each, of full precision unless all are relaxed: two variables are
// two loads, and GPUs that keep less for relaxed varyings do so by location (rule ). Where a location has several
// types, all of it travels as unsigned integers, which keep every bit (rule ): GLSL takes one numeric class in a
// location. Only data that is not interpolated can be of several types.
std::vector<varyings::PackedVariable> packed_variables(const std::map<varyings::Slot, varyings::Varying>& all,
                                                       const Separation& separation, const Packing& packing);

}  // namespace varylink::passes
