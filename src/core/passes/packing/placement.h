// The packing problem itself, without modules: items with sizes and keys, locations of four components.
#pragma once

#include <compare>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "varyings/reflect/slot.h"
#include "varyings/scalarize/varying.h"

namespace varylink::passes {

inline constexpr std::uint32_t kComponents = 4;  // of a location

// Only items with equal keys may share a location (rule ).
struct PackKey {
  varyings::Interpolation interpolation;
  bool patch = false;
  bool per_primitive = false;
  bool only_captured = false;  // shares its location with captured outputs only
  std::uint32_t stream = 0;
  std::uint32_t width = 32;
  friend auto operator<=>(const PackKey&, const PackKey&) = default;
};

struct PlacementItem {
  varyings::Slot slot;  // where it is now
  varyings::Varying::Form form = varyings::Varying::Form::scalar;
  PackKey key;
  varyings::ScalarKind kind = varyings::ScalarKind::floating;
  std::uint32_t components = 1;  // 32-bit components; scalars have 1, 64-bit ones 2
  std::uint32_t locations = 1;   // locations that unsplit and fixed ones take
  std::uint32_t occupied = 4;    // arrays: components from the first one on that each of its locations needs
  bool structure = false;        // unsplit ones: has no component to start at (VUID-StandaloneSpirv-Component-04924)
  std::uint32_t group = 0;       // only items of the same group may share a location, besides having equal keys
  bool relaxed = false;
  bool moved = false;       // by code motion: not where the input had it
  bool captured = false;    // by transform feedback, wherever it is placed
  bool unread = false;      // only captured, or only read back by the stage that writes it
  bool convergent = false;  // a smooth float that is equal at all vertices of a primitive (flat stays flat)
};

// Which items may share a location: those of one class.
class PlacementClasses {
 public:
  using Class = std::tuple<PackKey, std::uint32_t, varyings::ScalarKind>;  // key, group, type if it matters

  // A vector that stays unsplit and leaves components free keeps its type, and so do all items that could be beside it
  // (rule ). One that fills its location is beside nothing.
  explicit PlacementClasses(const std::vector<PlacementItem>& items);
  Class of(const PlacementItem& item) const;

 private:
  std::set<std::pair<PackKey, std::uint32_t>> typed_;  // keys and groups where the type matters
};

// Items that one instruction reads as a vector.
struct PlacementVector {
  std::vector<varyings::Slot> slots;  // in the order of its components, each once
  std::uint32_t weight = 1;           // of having them in two locations, against the others'
  bool is_coordinate = false;         // of a texture access
};

struct PlacementOptions {
  bool beside_arrays = false;  // components that the elements of arrays leave free may be used (rule)
  // Scalars that shared a location, a key and a precision before share one afterwards, even if that costs locations: a
  // stage that has only some of them needs no more than it did.
  bool keep_together = false;
  std::vector<PlacementVector> vectors;
  bool never_divide = false;       // vectors stay in one location even where that costs locations
  bool coordinates_alone = false;  // besides, nothing shares the location of a coordinate
};

// Old slot -> new slot for every item. Deterministic. Locations are used from 0 up, around the fixed items. The highest
// location is as low as possible, then the number of locations the smallest. Where that costs neither, unread items
// come last, and vectors are divided between locations for as little weight as possible: items that shared a location,
// with weight 1, and the vectors of the options.
std::map<varyings::Slot, varyings::Slot> place(const std::vector<PlacementItem>& items,
                                               const PlacementOptions& options = {});

// The placement needs fewer locations for its items, or a lower highest one, than the other does for its.
bool is_cheaper(const std::vector<PlacementItem>& items, const std::map<varyings::Slot, varyings::Slot>& placement,
                const std::map<varyings::Slot, varyings::Slot>& other);

// Everything stays where it is.
std::map<varyings::Slot, varyings::Slot> identity_placement(const std::vector<PlacementItem>& items);

// Closes unused locations; items that share one still do. No item moves to a higher location, so that this fits every
// stage that has only some of the items.
std::map<varyings::Slot, varyings::Slot> closed_up(const std::vector<PlacementItem>& items);

// A stage that has these items, and others not, needs neither a higher location nor more locations than now.
bool is_no_worse(const std::vector<PlacementItem>& items, const std::map<varyings::Slot, varyings::Slot>& placement);

// Every location that the placement gives holds one variable, which begins it: no Component decoration is needed. Items
// of one group can be one variable.
bool has_one_variable_each(const std::vector<PlacementItem>& items,
                           const std::map<varyings::Slot, varyings::Slot>& placement);

// Two items that may not share a location do so now, or something lies beside an array.
bool shares_illegally(const std::vector<PlacementItem>& items, const PlacementOptions& options = {});

// The placement is better than the present one: fewer locations or a lower highest one, for all items or else for the
// read ones; or the present one shares illegally, or leaves gaps that make two variables of one location or one that
// does not begin it: other languages have one name for a location (HLSL semantics), and some no components. Never true
// if it needs a higher location or more locations, unless moved items have left two interpolations in one location
// (VUID-StandaloneSpirv-Input-10604).
bool is_better(const std::vector<PlacementItem>& items, const std::map<varyings::Slot, varyings::Slot>& placement,
               const PlacementOptions& options = {});

}  // namespace varylink::passes
