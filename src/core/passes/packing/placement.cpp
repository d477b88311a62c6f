#include "passes/packing/placement.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/seeded_fault.h"
#include "passes/packing/bins.h"
#include "passes/packing/location_runs.h"

namespace varylink::passes {
namespace {

using varyings::Slot;
using Form = varyings::Varying::Form;
using Items = PlacedItems;
using Placement = std::map<Slot, Slot>;

using Class = PlacementClasses::Class;

// An unsplit varying of one location that is a vector or a scalar may share its location like the scalars it is made
// of.
bool is_packable(const PlacementItem& item) {
  return item.form == Form::scalar || (item.form == Form::unsplit && !item.structure && item.locations == 1 &&
                                       item.components <= kComponents && item.key.width != 64);
}

// An array whose elements leave components free that others may take.
bool has_holes(const PlacementItem& item) {
  return item.form == Form::unsplit && !is_packable(item) && item.occupied < kComponents;
}

// Items with locations of their own begin them, but for structures, whose members have their own places.
std::uint32_t first_component(const PlacementItem& item) { return item.structure ? item.slot.component : 0; }

class Placer {
 public:
  Placer(const std::vector<PlacementItem>& items, const PlacementOptions& options)
      : items_(items), options_(options), classes_(items) {
    for (const PlacementItem& item : items) {
      if (item.form != Form::fixed) continue;
      placement_[item.slot] = item.slot;
      occupy({item.slot.location, item.locations});
    }
  }

  // Places the items that `chosen` selects into what is free.
  template <typename Predicate>
  void add(Predicate chosen) {
    Items arrays;
    std::map<Class, Items> classes;
    std::vector<Class> order;  // by first old slot
    for (const PlacementItem& item : items_) {
      if (item.form == Form::fixed || !chosen(item)) continue;
      if (!is_packable(item)) {
        arrays.push_back(&item);
        continue;
      }
      const Class own = classes_.of(item);
      auto& members = classes[own];
      if (members.empty()) order.push_back(own);
      members.push_back(&item);
    }
    std::vector<Bin> bins;
    for (const Class& one : order)
      for (Bin& bin : bins_of(classes.at(one), holes_in(arrays, one), options_)) bins.push_back(std::move(bin));
    place_arrays(arrays, static_cast<std::uint32_t>(new_bins(bins)));
    for (const Bin& bin : bins)
      if (!bin.items.empty()) place_bin(bin);
  }

  Placement take() { return std::move(placement_); }

 private:
  std::vector<Bin> holes_in(const Items& arrays, const Class& wanted) const {
    const auto open = open_.find(wanted);
    std::vector<Bin> holes = open == open_.end() ? std::vector<Bin>{} : open->second;
    for (const PlacementItem* array : arrays)
      for (std::uint32_t i = 0;
           options_.beside_arrays && has_holes(*array) && classes_.of(*array) == wanted && i < array->locations; ++i)
        holes.push_back({{}, array->occupied, array->occupied, std::nullopt, array, i});
    return holes;
  }

  void place_arrays(const Items& arrays, std::uint32_t singles) {
    std::vector<std::uint32_t> lengths;
    for (const PlacementItem* array : arrays) lengths.push_back(array->locations);
    const std::vector<std::uint32_t> starts = place_runs(lengths, singles, taken_);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      placement_[arrays[i]->slot] = {starts[i], first_component(*arrays[i])};
      occupy({starts[i], seeded_fault("pack-reserves-first-location-only") ? 1 : arrays[i]->locations});
    }
  }

  void occupy(const LocationRun& run) {
    taken_.push_back(run);
    lowest_free_.take(run);
  }

  void place_bin(const Bin& bin) {
    std::uint32_t location = bin.location.value_or(0), component = bin.held;
    if (bin.array) location = placement_.at(bin.array->slot).location + bin.element;
    if (bin.is_new()) {
      location = lowest_free_.location();
      occupy({location, 1});
      if (bin.used < kComponents) open_[classes_.of(*bin.items.front())].push_back({{}, bin.used, bin.used, location});
    }
    for (const PlacementItem* item : bin.items) {
      placement_[item->slot] = {location, component};
      component += seeded_fault("pack-overlaps-components") && component == 1 ? 0 : item->components;
    }
  }

  const std::vector<PlacementItem>& items_;
  const PlacementOptions& options_;
  const PlacementClasses classes_;
  std::vector<LocationRun> taken_;
  LowestFree lowest_free_;
  std::map<Class, std::vector<Bin>> open_;  // placed bins with free components
  Placement placement_;
};

struct Cost {
  std::uint32_t highest = 0;
  std::uint32_t locations = 0;
  std::uint32_t highest_read = 0;
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

std::set<std::uint32_t> locations_of(const PlacementItem& item, Slot slot) {
  std::set<std::uint32_t> locations;
  for (std::uint32_t i = 0; i < item.locations; ++i) locations.insert(slot.location + i);
  return locations;
}

Cost placement_cost(const std::vector<PlacementItem>& items, const Placement& placement) {
  std::set<std::uint32_t> used;
  std::uint32_t highest_read = 0;
  for (const PlacementItem& item : items) {
    const Slot place = placement.at(item.slot);
    used.merge(locations_of(item, place));
    if (!item.unread) highest_read = std::max(highest_read, place.location + item.locations);
  }
  return {used.empty() ? 0 : *used.rbegin() + 1, static_cast<std::uint32_t>(used.size()), highest_read};
}

// The used locations in order, those that an array holds together in one run.
std::vector<std::vector<std::uint32_t>> runs_of(const std::vector<PlacementItem>& items,
                                                const std::set<std::uint32_t>& used) {
  std::set<std::uint32_t> joined;  // to the location before
  for (const PlacementItem& item : items)
    for (std::uint32_t i = 1; i < item.locations; ++i) joined.insert(item.slot.location + i);
  std::vector<std::vector<std::uint32_t>> runs;
  for (const std::uint32_t location : used) {
    if (runs.empty() || joined.count(location) == 0) runs.emplace_back();
    runs.back().push_back(location);
  }
  return runs;
}

bool has_any_of(const std::set<std::uint32_t>& locations, std::uint32_t first, std::size_t count) {
  const auto found = locations.lower_bound(first);
  return found != locations.end() && *found < first + count;
}

bool may_share(const PlacementItem& a, const PlacementItem& b, const PlacementClasses& classes,
               const PlacementOptions& options) {
  if (a.form == Form::fixed || b.form == Form::fixed) return true;
  const auto open = [&](const PlacementItem& item) {
    return is_packable(item) || (options.beside_arrays && has_holes(item));
  };
  PlacementItem like_a = b;
  if (a.unread || b.unread) like_a.key.interpolation = a.key.interpolation;  // one of them is not interpolated
  return classes.of(a) == classes.of(like_a) && open(a) && open(b);
}

bool keeps_its_type(const PlacementItem& item) {
  return item.form == Form::unsplit && is_packable(item) && item.components < kComponents;
}

}  // namespace

PlacementClasses::PlacementClasses(const std::vector<PlacementItem>& items) {
  for (const PlacementItem& item : items)
    if (keeps_its_type(item)) typed_.emplace(item.key, item.group);
}

Class PlacementClasses::of(const PlacementItem& item) const {
  const bool is_typed = typed_.count({item.key, item.group}) != 0;
  return {item.key, item.group, is_typed ? item.kind : varyings::ScalarKind::floating};
}

Placement place(const std::vector<PlacementItem>& items, const PlacementOptions& options) {
  Placer read_first(items, options);
  read_first.add([](const PlacementItem& item) { return !item.unread; });
  read_first.add([](const PlacementItem& item) { return item.unread; });
  Placement placement = read_first.take();
  // Unread items come last, unless a gap between fixed items is used better otherwise.
  Placer at_once(items, options);
  at_once.add([](const PlacementItem&) { return true; });
  Placement other = at_once.take();
  return placement_cost(items, other) < placement_cost(items, placement) ? other : placement;
}

bool is_cheaper(const std::vector<PlacementItem>& items, const Placement& placement, const Placement& other) {
  return placement_cost(items, placement) < placement_cost(items, other);
}

Placement identity_placement(const std::vector<PlacementItem>& items) {
  Placement placement;
  for (const PlacementItem& item : items) placement[item.slot] = item.slot;
  return placement;
}

std::map<Slot, Slot> closed_up(const std::vector<PlacementItem>& items) {
  std::set<std::uint32_t> used, fixed;
  for (const PlacementItem& item : items)
    (item.form == Form::fixed ? fixed : used).merge(locations_of(item, item.slot));
  std::map<std::uint32_t, std::uint32_t> target;
  std::uint32_t next = 0;  // never above the run that comes
  for (const std::vector<std::uint32_t>& run : runs_of(items, used)) {
    const std::uint32_t first = run.front();
    const bool is_beside_fixed = has_any_of(fixed, first, run.size());
    std::uint32_t start = is_beside_fixed ? first : next;
    while (!is_beside_fixed && has_any_of(fixed, start, run.size())) ++start;
    for (std::uint32_t i = 0; i < run.size(); ++i) target[run[i]] = start + i;
    next = start + static_cast<std::uint32_t>(run.size());
  }
  std::map<Slot, Slot> placement;
  for (const PlacementItem& item : items)
    placement[item.slot] =
        item.form == Form::fixed ? item.slot : Slot{target.at(item.slot.location), item.slot.component};
  return placement;
}

bool is_no_worse(const std::vector<PlacementItem>& items, const std::map<Slot, Slot>& placement) {
  const Cost before = placement_cost(items, identity_placement(items)), after = placement_cost(items, placement);
  return after.highest <= before.highest && after.locations <= before.locations;
}

bool shares_illegally(const std::vector<PlacementItem>& items, const PlacementOptions& options) {
  const PlacementClasses classes(items);
  std::map<std::uint32_t, const PlacementItem*> owner;
  for (const PlacementItem& item : items)
    for (const std::uint32_t location : locations_of(item, item.slot)) {
      const auto [entry, is_new] = owner.try_emplace(location, &item);
      if (!is_new && !may_share(*entry->second, item, classes, options)) return true;
    }
  return false;
}

namespace {

// Number of declarations that a placement gives for the items that may move.
struct DeclarationCount {
  std::size_t variables = 0;  // of scalars, where neighbours of one key and group are one
  std::size_t offsets = 0;    // variables that do not begin their location: they need a Component decoration
  friend auto operator<=>(const DeclarationCount&, const DeclarationCount&) = default;
};

DeclarationCount declarations(const std::vector<PlacementItem>& items, const Placement& placement) {
  DeclarationCount found;
  std::map<Slot, const PlacementItem*> by_place;
  for (const PlacementItem& item : items) {
    const Slot place = placement.at(item.slot);
    if (item.form == Form::scalar) by_place[place] = &item;
    if (item.form == Form::unsplit && !item.structure && place.component != 0) ++found.offsets;
  }
  const PlacementItem* last = nullptr;
  Slot next;
  for (const auto& [slot, item] : by_place) {
    const bool joins = last && slot == next && last->key == item->key && last->group == item->group;
    if (!joins) ++found.variables;
    if (!joins && slot.component != 0) ++found.offsets;
    last = item;
    next = {slot.location, slot.component + item->components};
  }
  return found;
}

// A moved item is in one location with an item that is interpolated differently, which is not valid.
bool mixes_interpolation(const std::vector<PlacementItem>& items) {
  std::map<std::uint32_t, const PlacementItem*> known;
  return std::any_of(items.begin(), items.end(), [&](const PlacementItem& item) {
    if (item.unread || item.form == Form::fixed) return false;
    const auto [entry, is_new] = known.try_emplace(item.slot.location, &item);
    if (is_new) return false;
    const PlacementItem& other = *entry->second;
    if (item.moved) entry->second = &item;
    return (item.moved || other.moved) && other.key.interpolation != item.key.interpolation;
  });
}

}  // namespace

bool is_better(const std::vector<PlacementItem>& items, const Placement& placement, const PlacementOptions& options) {
  if (mixes_interpolation(items)) return true;
  if (!is_no_worse(items, placement)) return false;
  const Placement now = identity_placement(items);
  if (is_cheaper(items, placement, now) || shares_illegally(items, options)) return true;
  return !is_cheaper(items, now, placement) && declarations(items, placement) < declarations(items, now);
}

bool has_one_variable_each(const std::vector<PlacementItem>& items, const Placement& placement) {
  if (declarations(items, placement).offsets != 0) return false;
  std::map<std::uint32_t, const PlacementItem*> known;
  return std::all_of(items.begin(), items.end(), [&](const PlacementItem& item) {
    if (item.form == Form::fixed) return true;
    const auto locations = locations_of(item, placement.at(item.slot));
    return std::all_of(locations.begin(), locations.end(), [&](std::uint32_t location) {
      const auto [entry, is_new] = known.try_emplace(location, &item);
      const PlacementItem& other = *entry->second;
      const bool is_one_class = other.key == item.key || other.unread || item.unread;
      return is_new || (other.group == item.group && item.form == Form::scalar && is_one_class);
    });
  });
}

}  // namespace varylink::passes
