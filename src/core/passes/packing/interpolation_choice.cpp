#include "passes/packing/interpolation_choice.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/seeded_fault.h"

namespace varylink::passes {
namespace {

using varyings::Interpolation;
using MovableItems = std::vector<PlacementItem*>;

constexpr std::uint32_t kSlotComponents = 4;
constexpr Interpolation kFlat = {true, false, false, false, false};

// Items that differ in nothing that keeps them apart but their interpolation.
struct Family {
  std::map<Interpolation, std::vector<PlacementItem>> rigid;
  MovableItems convergent, unread;
};

// A variable of its own that nobody reads.
bool may_join_any(const PlacementItem& item) {
  return item.unread && item.form == varyings::Varying::Form::unsplit && item.locations == 1;
}

bool is_movable(const PlacementItem& item) {
  const Interpolation& now = item.key.interpolation;
  const bool convergent = item.convergent || seeded_fault("choice-takes-what-is-not-convergent");
  return convergent && item.form == varyings::Varying::Form::scalar && !now.flat && !now.sample && !now.per_vertex;
}

// Components that the fewest locations for these items leave free for more of the class of `joining`.
std::uint32_t free_components(const std::vector<PlacementItem>& rigid, const PlacementItem& joining) {
  const PlacementClasses classes(rigid);
  std::vector<PlacementItem> items;
  for (const PlacementItem& item : rigid)
    if (classes.of(item) == classes.of(joining)) items.push_back(item);
  std::set<std::uint32_t> locations;
  std::uint32_t used = 0;
  const std::map<varyings::Slot, varyings::Slot> placement = place(items);
  for (const PlacementItem& item : items) {
    for (std::uint32_t i = 0; i < item.locations; ++i) locations.insert(placement.at(item.slot).location + i);
    used += item.locations == 1 ? item.components : kSlotComponents * item.locations;
  }
  return kSlotComponents * static_cast<std::uint32_t>(locations.size()) - used;
}

std::size_t locations_for(const std::vector<PlacementItem>& items) {
  std::set<std::uint32_t> locations;
  for (const auto& [old, now] : place(items)) locations.insert(now.location);
  return locations.size();
}

// The class that the item fills up best without a location more.
std::optional<Interpolation> class_with_room(const Family& family, PlacementItem item) {
  std::optional<Interpolation> best;
  std::uint32_t least = kSlotComponents;
  for (const auto& [interpolation, items] : family.rigid) {
    if (interpolation.per_vertex) continue;
    item.key.interpolation = interpolation;
    std::vector<PlacementItem> joined = items;
    joined.push_back(item);
    const std::uint32_t left = free_components(joined, item);
    if (left >= least || locations_for(joined) > locations_for(items)) continue;
    best = interpolation;
    least = left;
  }
  return best;
}

void join_unread(Family& family) {
  std::stable_sort(family.unread.begin(), family.unread.end(),
                   [](const PlacementItem* a, const PlacementItem* b) { return a->components > b->components; });
  for (PlacementItem* item : family.unread) {
    item->key.interpolation = class_with_room(family, *item).value_or(item->key.interpolation);
    family.rigid[item->key.interpolation].push_back(*item);
  }
}

void choose(Family& family) {
  std::map<Interpolation, std::uint32_t> room;
  PlacementItem joining = *family.convergent.front();
  for (const auto& [interpolation, items] : family.rigid) {
    if (interpolation.per_vertex) continue;
    joining.key.interpolation = interpolation;
    room[interpolation] = free_components(items, joining);
  }
  MovableItems left;
  for (PlacementItem* item : family.convergent) {
    const auto own = room.find(item->key.interpolation);
    if (own != room.end() && own->second > 0)
      --own->second;
    else
      left.push_back(item);
  }
  std::vector<Interpolation> order = {kFlat};
  for (const auto& [interpolation, count] : room)
    if (interpolation != kFlat) order.push_back(interpolation);
  auto item = left.begin();
  for (const Interpolation& interpolation : order)
    for (std::uint32_t i = 0; i < room[interpolation] && item != left.end(); ++i)
      (*item++)->key.interpolation = interpolation;
  for (; item != left.end(); ++item) (*item)->key.interpolation = kFlat;
}

}  // namespace

std::vector<PlacementItem> with_chosen_interpolations(std::vector<PlacementItem> items) {
  std::map<std::pair<PackKey, std::uint32_t>, Family> families;  // by key and group
  for (PlacementItem& item : items) {
    if (item.form == varyings::Varying::Form::fixed) continue;
    PackKey key = item.key;
    key.interpolation = {};
    if (is_movable(item))
      families[{key, item.group}].convergent.push_back(&item);
    else if (may_join_any(item))
      families[{key, item.group}].unread.push_back(&item);
    else
      families[{key, item.group}].rigid[item.key.interpolation].push_back(item);
  }
  for (auto& [kept, family] : families) {
    join_unread(family);
    if (!family.convergent.empty()) choose(family);
  }
  return items;
}

}  // namespace varylink::passes
