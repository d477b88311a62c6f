// Which components may be parts of one variable, and the variables that a placement makes of them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "link/model/link.h"
#include "passes/packing/array_columns.h"
#include "passes/packing/placement.h"

namespace varylink::passes {

// The scalar outputs of one producer, in sets of which each may become one vector (rule ). The first set has
// outputs with one owner. Outputs of several invocations share a set only if they are stored in the same places to the
// same element, so that vectors are stored as wholes: two invocations may write two variables at once, not two
// components of one, and drivers have lost components of mesh outputs that are stored in parts.
class StoreSets {
 public:
  explicit StoreSets(const link::LinkedStage& producer);

  std::size_t set_of(varyings::Slot slot) const;

 private:
  std::map<varyings::Slot, std::size_t> sets_;  // of outputs that several invocations store
};

// Reasons besides PackKey that keep two components from being parts of one variable.
class Separation {
 public:
  explicit Separation(const link::Link& link);

  bool may_join(const varyings::Varying& a, const varyings::Varying& b) const;

  // The items in groups such that every location holds one variable, without a Component decoration: the form that
  // spirv-cross turns into GLSL, HLSL and Metal. If `by_reading`, components of different precision are in different
  // groups, and those that an InterpolateAt instruction reads, which takes all of its variable, are apart from others.
  std::vector<PlacementItem> grouped(std::vector<PlacementItem> items, bool by_reading) const;

 private:
  class Groups;

  // Equal for two components that the same producers have, in the same of their StoreSets.
  std::size_t output_class(varyings::Slot slot) const;

  std::map<varyings::Slot, std::size_t> output_classes_;  // 0 where not found
  std::set<varyings::Slot> interpolated_;
};

// The placement of all items, and changes of interpolation.
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
