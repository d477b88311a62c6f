#include "passes/packing/placement.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/seeded_fault.h"
#include "passes/packing/location_runs.h"

namespace varylink::passes {
namespace {

using varyings::Slot;
using Form = varyings::Varying::Form;
using Items = std::vector<const PlacementItem*>;
using Placement = std::map<Slot, Slot>;

constexpr std::uint32_t kComponents = 4;

// Items that should stay neighbours: scalars that shared a location and a key before.
struct Group {
  Items items;
  std::uint32_t size = 0;
};

// Only items of one class may share a location.
using Class = std::pair<PackKey, std::uint32_t>;
Class class_of(const PlacementItem& item) { return {item.key, item.group}; }

// One location: a new one, or what is still free in one that holds something already.
struct Bin {
  Items items;
  std::uint32_t used = 0;
  std::uint32_t held = 0;                 // components in use before the items came
  std::optional<std::uint32_t> location;  // of a bin that was placed before
  const PlacementItem* array = nullptr;   // of a bin beside array elements
  std::uint32_t element = 0;              // of the array, counted in locations

  bool is_new() const { return !location && !array; }
};

std::vector<Group> groups_of(const Items& items) {
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

void add_group(std::vector<Bin>& bins, const Group& group) {
  auto bin = std::find_if(bins.begin(), bins.end(), [&](const Bin& b) { return b.used + group.size <= kComponents; });
  if (bin == bins.end()) bin = bins.insert(bins.end(), Bin{});
  bin->items.insert(bin->items.end(), group.items.begin(), group.items.end());
  bin->used += group.size;
}

// First fit, largest group first, behind what the bins hold already.
std::vector<Bin> fit_groups(std::vector<Group> groups, std::vector<Bin> bins) {
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.size > b.size; });
  for (const Group& group : groups) add_group(bins, group);
  return bins;
}

// First fit of single items, vectors that stay one variable in front: with sizes from 1 to 4 in bins of 4 nothing needs
// fewer bins. (A 3 takes a bin that only a 1 can join, 2s pair up, and 1s fill whatever is left.)
std::vector<Bin> fit_items(Items items, std::vector<Bin> bins) {
  std::stable_sort(items.begin(), items.end(), [](const auto* a, const auto* b) {
    const bool scalar_a = a->form == Form::scalar, scalar_b = b->form == Form::scalar;
    return scalar_a != scalar_b ? scalar_b
                                : std::tuple(b->components, a->relaxed) < std::tuple(a->components, b->relaxed);
  });
  for (const PlacementItem* item : items) add_group(bins, {{item}, item->components});
  return bins;
}

std::size_t new_bins(const std::vector<Bin>& bins) {
  return static_cast<std::size_t>(std::count_if(bins.begin(), bins.end(), [](const Bin& bin) { return bin.is_new(); }));
}

// Items of one key that should share a bin, and what it costs if they do not.
struct Bundle {
  Items items;
  std::uint32_t weight = 1;
};

// The vectors of the options as far as their items are among these, then what was together in a location; the heaviest
// first, of these the largest.
std::vector<Bundle> bundles_of(const Items& items, const std::vector<PlacementVector>& vectors) {
  std::map<Slot, const PlacementItem*> by_slot;
  for (const PlacementItem* item : items) by_slot.emplace(item->slot, item);
  std::vector<Bundle> bundles;
  for (const PlacementVector& vector : vectors) {
    Bundle bundle{{}, vector.weight};
    for (const Slot slot : vector.slots)
      if (const auto found = by_slot.find(slot); found != by_slot.end()) bundle.items.push_back(found->second);
    if (bundle.items.size() > 1) bundles.push_back(std::move(bundle));
  }
  for (const Group& group : groups_of(items)) bundles.push_back({group.items, 1});
  std::stable_sort(bundles.begin(), bundles.end(), [](const Bundle& a, const Bundle& b) {
    return std::pair(b.weight, b.items.size()) < std::pair(a.weight, a.items.size());
  });
  return bundles;
}

// What it costs that bundles are divided between bins.
std::uint32_t division_cost(const std::vector<Bin>& bins, const std::vector<Bundle>& bundles) {
  std::map<const PlacementItem*, std::size_t> bin_of;
  for (std::size_t i = 0; i < bins.size(); ++i)
    for (const PlacementItem* item : bins[i].items) bin_of.emplace(item, i);
  std::uint32_t cost = 0;
  for (const Bundle& bundle : bundles) {
    std::set<std::size_t> used;
    for (const PlacementItem* item : bundle.items) used.insert(bin_of.at(item));
    cost += bundle.weight * static_cast<std::uint32_t>(used.size() - 1);
  }
  return cost;
}

// Puts bundles whole into a given number of bins, those with the largest weight first, and divides what then fits
// nowhere.
class BundleFitter {
 public:
  BundleFitter(std::vector<Bin> holes, std::size_t new_bins) : bins_(std::move(holes)) {
    bins_.resize(bins_.size() + new_bins);
    pieces_.resize(bins_.size());
  }

  // None if a vector that stays one variable does not fit any more.
  std::optional<std::vector<Bin>> run(const std::vector<Bundle>& bundles) {
    std::vector<Items> divided;
    for (const Bundle& bundle : bundles) {
      Items items = not_placed(bundle.items);
      if (items.empty()) continue;
      if (const std::size_t bin = tightest(size_of(items)); bin < bins_.size())
        put(std::move(items), bin);
      else
        divided.push_back(std::move(items));
    }
    for (const Items& items : divided)
      if (!divide(items)) return std::nullopt;
    return take();
  }

 private:
  static std::uint32_t size_of(const Items& items) {
    std::uint32_t size = 0;
    for (const PlacementItem* item : items) size += item->components;
    return size;
  }

  Items not_placed(const Items& items) const {
    Items left;
    for (const PlacementItem* item : items)
      if (placed_.count(item) == 0) left.push_back(item);
    return left;
  }

  std::uint32_t free_in(std::size_t bin) const { return kComponents - bins_[bin].used; }

  // The bin with the least room that has that much; the number of bins if there is none.
  std::size_t tightest(std::uint32_t size) const {
    std::size_t best = bins_.size();
    for (std::size_t i = 0; i < bins_.size(); ++i)
      if (free_in(i) >= size && (best == bins_.size() || free_in(i) < free_in(best))) best = i;
    return best;
  }

  void put(Items items, std::size_t bin) {
    placed_.insert(items.begin(), items.end());
    bins_[bin].used += size_of(items);
    pieces_[bin].push_back(std::move(items));
  }

  // As much as fits into the bin with the most room, again and again.
  bool divide(Items items) {
    items = not_placed(items);
    while (!items.empty()) {
      if (bins_.empty()) return false;
      std::size_t roomiest = 0;
      for (std::size_t i = 1; i < bins_.size(); ++i)
        if (free_in(i) > free_in(roomiest)) roomiest = i;
      std::size_t count = 0;
      for (std::uint32_t size = 0; count < items.size(); ++count)
        if ((size += items[count]->components) > free_in(roomiest)) break;
      if (count == 0) return false;
      const auto end = items.begin() + static_cast<std::ptrdiff_t>(count);
      put(Items(items.begin(), end), roomiest);
      items.erase(items.begin(), end);
    }
    return true;
  }

  // The largest pieces stand in front, so that pairs begin at an even component.
  std::vector<Bin> take() {
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      std::stable_sort(pieces_[i].begin(), pieces_[i].end(),
                       [](const Items& a, const Items& b) { return size_of(a) > size_of(b); });
      for (const Items& items : pieces_[i]) bins_[i].items.insert(bins_[i].items.end(), items.begin(), items.end());
    }
    return std::move(bins_);
  }

  std::vector<Bin> bins_;
  std::vector<std::vector<Items>> pieces_;  // by bin
  std::set<const PlacementItem*> placed_;
};

// Items of one key, as few bins as possible besides `holes`; vectors stay together, and holes empty, where that costs
// no bin.
std::vector<Bin> bins_of(const Items& items, const std::vector<Bin>& holes, const PlacementOptions& options) {
  const std::vector<Group> groups = groups_of(items);
  std::vector<Bin> best = options.keep_together ? fit_groups(groups, holes) : fit_items(items, holes);
  for (const std::vector<Bin>& start : {holes, std::vector<Bin>{}})
    if (std::vector<Bin> bins = fit_groups(groups, start); new_bins(bins) <= new_bins(best)) best = std::move(bins);
  const std::vector<Bundle> bundles = bundles_of(items, options.vectors);
  const std::size_t count = new_bins(best);
  for (const std::vector<Bin>& start : {std::vector<Bin>{}, holes}) {
    const std::uint32_t cost = division_cost(best, bundles);
    if (cost == 0 || options.keep_together) break;
    std::optional<std::vector<Bin>> bins = BundleFitter(start, count).run(bundles);
    if (bins && division_cost(*bins, bundles) < cost) best = std::move(*bins);
  }
  return best;
}

// An unsplit varying of one location that is a vector or a scalar may share its location like the scalars it is made
// of.
bool is_packable(const PlacementItem& item) {
  return item.form == Form::scalar ||
         (item.form == Form::unsplit && item.locations == 1 && item.components <= kComponents && item.key.width != 64);
}

// An array whose elements leave components free that others may take.
bool has_holes(const PlacementItem& item) {
  return item.form == Form::unsplit && !is_packable(item) && item.occupied < kComponents && item.slot.component == 0;
}

class Placer {
 public:
  Placer(const std::vector<PlacementItem>& items, const PlacementOptions& options) : items_(items), options_(options) {
    for (const PlacementItem& item : items) {
      if (item.form != Form::fixed) continue;
      placement_[item.slot] = item.slot;
      taken_.push_back({item.slot.location, item.locations});
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
      auto& members = classes[class_of(item)];
      if (members.empty()) order.push_back(class_of(item));
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
           options_.beside_arrays && has_holes(*array) && class_of(*array) == wanted && i < array->locations; ++i)
        holes.push_back({{}, array->occupied, array->occupied, std::nullopt, array, i});
    return holes;
  }

  void place_arrays(const Items& arrays, std::uint32_t singles) {
    std::vector<std::uint32_t> lengths;
    for (const PlacementItem* array : arrays) lengths.push_back(array->locations);
    const std::vector<std::uint32_t> starts = place_runs(lengths, singles, taken_);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      placement_[arrays[i]->slot] = {starts[i], arrays[i]->slot.component};
      taken_.push_back({starts[i], seeded_fault("pack-reserves-first-location-only") ? 1 : arrays[i]->locations});
    }
  }

  void place_bin(const Bin& bin) {
    std::uint32_t location = bin.location.value_or(0), component = bin.held;
    if (bin.array) location = placement_.at(bin.array->slot).location + bin.element;
    if (bin.is_new()) {
      location = place_runs({1}, 0, taken_).front();
      taken_.push_back({location, 1});
      if (bin.used < kComponents) open_[class_of(*bin.items.front())].push_back({{}, bin.used, bin.used, location});
    }
    for (const PlacementItem* item : bin.items) {
      placement_[item->slot] = {location, component};
      component += seeded_fault("pack-overlaps-components") && component == 1 ? 0 : item->components;
    }
  }

  const std::vector<PlacementItem>& items_;
  const PlacementOptions& options_;
  std::vector<LocationRun> taken_;
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

bool may_share(const PlacementItem& a, const PlacementItem& b, const PlacementOptions& options) {
  if (a.form == Form::fixed || b.form == Form::fixed) return true;
  const auto open = [&](const PlacementItem& item) {
    return is_packable(item) || (options.beside_arrays && has_holes(item));
  };
  return class_of(a) == class_of(b) && open(a) && open(b);
}

}  // namespace

Placement place(const std::vector<PlacementItem>& items, const PlacementOptions& options) {
  Placer read_first(items, options);
  read_first.add([](const PlacementItem& item) { return !item.unread; });
  read_first.add([](const PlacementItem& item) { return item.unread; });
  Placement placement = read_first.take();
  // What nobody reads comes last, unless a gap between fixed items is used better otherwise.
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
  std::map<std::uint32_t, const PlacementItem*> owner;
  for (const PlacementItem& item : items)
    for (const std::uint32_t location : locations_of(item, item.slot)) {
      const auto [entry, is_new] = owner.try_emplace(location, &item);
      if (!is_new && !may_share(*entry->second, item, options)) return true;
    }
  return false;
}

namespace {

// Scalars that stand alone or first in their location, among those that could be one variable with what is in front.
std::size_t variable_count(const std::vector<PlacementItem>& items, const Placement& placement) {
  std::map<Slot, const PlacementItem*> by_place;
  for (const PlacementItem& item : items)
    if (item.form == Form::scalar) by_place[placement.at(item.slot)] = &item;
  std::size_t count = 0;
  const PlacementItem* last = nullptr;
  Slot next;
  for (const auto& [slot, item] : by_place) {
    const bool joins = last && slot == next && last->key == item->key;
    if (!joins) ++count;
    last = item;
    next = {slot.location, slot.component + item->components};
  }
  return count;
}

}  // namespace

bool is_better(const std::vector<PlacementItem>& items, const Placement& placement, const PlacementOptions& options) {
  if (!is_no_worse(items, placement)) return false;
  const Placement now = identity_placement(items);
  if (is_cheaper(items, placement, now) || shares_illegally(items, options)) return true;
  return !is_cheaper(items, now, placement) && variable_count(items, placement) < variable_count(items, now);
}

}  // namespace varylink::passes
