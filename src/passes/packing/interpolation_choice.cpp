#include "passes/packing/interpolation_choice.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/seeded_fault.h"

namespace varylink::passes {
namespace {

using varyings::Interpolation;
using MovableItems = std::vector<PlacementItem*>;

constexpr std::uint32_t kSlotComponents = 4;
constexpr Interpolation kFlat = {true, false, false, false, false};

// Items that differ in nothing but their interpolation.
struct Family {
  std::map<Interpolation, std::vector<PlacementItem>> rigid;
  MovableItems convergent;
};

bool is_movable(const PlacementItem& item) {
  const Interpolation& now = item.key.interpolation;
  const bool convergent = item.convergent || seeded_fault("choice-takes-what-is-not-convergent");
  return convergent && item.form == varyings::Varying::Form::scalar && !now.flat && !now.sample && !now.per_vertex;
}

// Components that the fewest locations for these items leave free.
std::uint32_t free_components(const std::vector<PlacementItem>& items) {
  std::set<std::uint32_t> locations;
  std::uint32_t used = 0;
  const std::map<varyings::Slot, varyings::Slot> placement = place(items);
  for (const PlacementItem& item : items) {
    for (std::uint32_t i = 0; i < item.locations; ++i) locations.insert(placement.at(item.slot).location + i);
    used += item.locations == 1 ? item.components : kSlotComponents * item.locations;
  }
  return kSlotComponents * static_cast<std::uint32_t>(locations.size()) - used;
}

void choose(Family& family) {
  std::map<Interpolation, std::uint32_t> room;
  for (const auto& [interpolation, items] : family.rigid)
    if (!interpolation.per_vertex) room[interpolation] = free_components(items);
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
  std::map<PackKey, Family> families;
  for (PlacementItem& item : items) {
    if (item.form == varyings::Varying::Form::fixed) continue;
    PackKey key = item.key;
    key.interpolation = {};
    if (is_movable(item))
      families[key].convergent.push_back(&item);
    else
      families[key].rigid[item.key.interpolation].push_back(item);
  }
  for (auto& [key, family] : families)
    if (!family.convergent.empty()) choose(family);
  return items;
}

}  // namespace varylink::passes
