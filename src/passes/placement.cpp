#include "passes/placement.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/seeded_fault.h"

namespace varylink::passes {
namespace {

using io::Slot;
using Form = io::Varying::Form;

constexpr std::uint32_t kComponents = 4;

// Items that should stay neighbours: scalars that shared a location and a key before.
struct Group {
  std::vector<const PlacementItem*> items;
  std::uint32_t size = 0;
};

struct Bin {
  std::vector<const PlacementItem*> items;
  std::uint32_t used = 0;
};

std::vector<Group> groups_of(const std::vector<const PlacementItem*>& items) {
  std::vector<Group> groups;
  for (const PlacementItem* item : items) {
    const bool joins = !groups.empty() && groups.back().items.back()->slot.location == item->slot.location &&
                       groups.back().items.back()->relaxed == item->relaxed &&
                       groups.back().size + item->components <= kComponents;
    if (!joins) groups.emplace_back();
    groups.back().items.push_back(item);
    groups.back().size += item->components;
  }
  return groups;
}

// First fit, largest group first. It is optimal here whenever it reaches the lower bound, which the caller checks.
std::vector<Bin> fit_whole_groups(std::vector<Group> groups) {
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.size > b.size; });
  std::vector<Bin> bins;
  for (const Group& group : groups) {
    auto bin = std::find_if(bins.begin(), bins.end(), [&](const Bin& b) { return b.used + group.size <= kComponents; });
    if (bin == bins.end()) bin = bins.insert(bins.end(), Bin{});
    bin->items.insert(bin->items.end(), group.items.begin(), group.items.end());
    bin->used += group.size;
  }
  return bins;
}

// In order, filling every bin: needs the fewest bins, at the price of splitting groups.
std::vector<Bin> fill_in_order(const std::vector<const PlacementItem*>& items) {
  std::vector<Bin> bins;
  for (const PlacementItem* item : items) {
    if (bins.empty() || bins.back().used + item->components > kComponents) bins.emplace_back();
    bins.back().items.push_back(item);
    bins.back().used += item->components;
  }
  return bins;
}

// All items have the size 1 or all have the size 2, except whole vectors that stay one variable.
std::vector<Bin> bins_of(std::vector<const PlacementItem*> items) {
  std::uint32_t total = 0;
  for (const PlacementItem* item : items) total += item->components;
  std::vector<Bin> whole = fit_whole_groups(groups_of(items));
  if (whole.size() > (total + kComponents - 1) / kComponents) {
    std::stable_sort(items.begin(), items.end(), [](const auto* a, const auto* b) {
      return std::tuple(a->form != Form::whole, a->relaxed) < std::tuple(b->form != Form::whole, b->relaxed);
    });
    std::vector<Bin> filled = fill_in_order(items);
    if (filled.size() < whole.size()) whole = std::move(filled);
  }
  for (Bin& bin : whole)
    std::stable_sort(bin.items.begin(), bin.items.end(),
                     [](const auto* a, const auto* b) { return a->relaxed < b->relaxed; });
  return whole;
}

// A whole of one location that is a vector or a scalar may share its location like the scalars it is made of.
bool is_packable(const PlacementItem& item) {
  return item.form == Form::scalar ||
         (item.form == Form::whole && item.locations == 1 && item.components <= kComponents && item.key.width != 64);
}

class Placer {
 public:
  explicit Placer(const std::vector<PlacementItem>& items) : items_(items) {}

  std::map<Slot, Slot> run() {
    reserve_fixed();
    place_arrays();
    place_classes(false);
    place_classes(true);
    return std::move(placement_);
  }

 private:
  void reserve_fixed() {
    for (const PlacementItem& item : items_) {
      if (item.form != Form::fixed) continue;
      placement_[item.slot] = item.slot;
      for (std::uint32_t i = 0; i < item.locations; ++i) taken_.insert(item.slot.location + i);
    }
  }

  std::uint32_t take(std::uint32_t count) {
    for (std::uint32_t first = 0;; ++first) {
      bool is_free = true;
      for (std::uint32_t i = 0; i < count; ++i) is_free = is_free && taken_.count(first + i) == 0;
      if (!is_free) continue;
      if (seeded_fault("pack-reserves-first-location-only")) count = 1;
      for (std::uint32_t i = 0; i < count; ++i) taken_.insert(first + i);
      return first;
    }
  }

  // Long runs first: single locations fit into any hole that is left.
  void place_arrays() {
    std::vector<const PlacementItem*> arrays;
    for (const PlacementItem& item : items_)
      if (item.form == Form::whole && !is_packable(item)) arrays.push_back(&item);
    std::stable_sort(arrays.begin(), arrays.end(), [](const auto* a, const auto* b) {
      return std::tuple(a->unread, b->locations) < std::tuple(b->unread, a->locations);
    });
    for (const PlacementItem* item : arrays) placement_[item->slot] = {take(item->locations), item->slot.component};
  }

  void place_classes(bool unread) {
    std::map<PackKey, std::vector<const PlacementItem*>> classes;
    std::vector<PackKey> order;  // by first old slot
    for (const PlacementItem& item : items_) {
      if (!is_packable(item) || item.unread != unread) continue;
      auto& members = classes[item.key];
      if (members.empty()) order.push_back(item.key);
      members.push_back(&item);
    }
    for (const PackKey& key : order)
      for (const Bin& bin : bins_of(classes.at(key))) {
        const std::uint32_t location = take(1);
        std::uint32_t component = 0;
        for (const PlacementItem* item : bin.items) {
          placement_[item->slot] = {location, component};
          component += seeded_fault("pack-overlaps-components") && component == 1 ? 0 : item->components;
        }
      }
  }

  const std::vector<PlacementItem>& items_;
  std::set<std::uint32_t> taken_;
  std::map<Slot, Slot> placement_;
};

struct Cost {
  std::uint32_t highest = 0;
  std::uint32_t locations = 0;
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

std::set<std::uint32_t> locations_of(const PlacementItem& item, Slot slot) {
  std::set<std::uint32_t> locations;
  for (std::uint32_t i = 0; i < item.locations; ++i) locations.insert(slot.location + i);
  return locations;
}

Cost cost_of(const std::vector<PlacementItem>& items, const std::map<Slot, Slot>& placement) {
  std::set<std::uint32_t> used;
  for (const PlacementItem& item : items) used.merge(locations_of(item, placement.at(item.slot)));
  return {used.empty() ? 0 : *used.rbegin() + 1, static_cast<std::uint32_t>(used.size())};
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

// Two items with different keys in one location, or something beside an array.
bool shares_illegally(const std::vector<PlacementItem>& items) {
  std::map<std::uint32_t, const PlacementItem*> owner;
  for (const PlacementItem& item : items)
    for (const std::uint32_t location : locations_of(item, item.slot)) {
      const auto [entry, is_new] = owner.try_emplace(location, &item);
      const PlacementItem& other = *entry->second;
      if (!is_new && other.form != Form::fixed && item.form != Form::fixed &&
          (other.key != item.key || !is_packable(other) || !is_packable(item)))
        return true;
    }
  return false;
}

}  // namespace

std::map<Slot, Slot> place(const std::vector<PlacementItem>& items) { return Placer(items).run(); }

std::map<Slot, Slot> identity_placement(const std::vector<PlacementItem>& items) {
  std::map<Slot, Slot> placement;
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
  const Cost before = cost_of(items, identity_placement(items)), after = cost_of(items, placement);
  return after.highest <= before.highest && after.locations <= before.locations;
}

bool is_better(const std::vector<PlacementItem>& items, const std::map<Slot, Slot>& placement) {
  const Cost before = cost_of(items, identity_placement(items));
  const Cost after = cost_of(items, placement);
  if (after.highest > before.highest) return false;
  return after < before || shares_illegally(items);
}

}  // namespace varylink::passes
