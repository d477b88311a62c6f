#include "passes/placement.h"

#include <random>
#include <set>

#include "support/catch.h"

namespace varylink::passes {
namespace {

using io::Slot;
using Form = io::Varying::Form;

PlacementItem scalar(Slot slot, bool flat = false) {
  PlacementItem item;
  item.slot = slot;
  item.key.interpolation.flat = flat;
  return item;
}

PlacementItem whole(Slot slot, std::uint32_t locations, Form form = Form::whole) {
  PlacementItem item = scalar(slot);
  item.form = form;
  item.components = 4 * locations;
  item.locations = locations;
  return item;
}

// Slots an item takes at a place: its components, or every component of its locations if it is no scalar.
std::vector<Slot> slots_at(const PlacementItem& item, Slot place) {
  std::vector<Slot> slots;
  if (item.form == Form::scalar)
    for (std::uint32_t i = 0; i < item.components; ++i) slots.push_back({place.location, place.component + i});
  else
    for (std::uint32_t i = 0; i < 4 * item.locations; ++i) slots.push_back({place.location + i / 4, i % 4});
  return slots;
}

// What must hold for every placement (rules ).
void check_legal(const std::vector<PlacementItem>& items, const std::map<Slot, Slot>& placement) {
  std::set<Slot> taken;
  std::map<std::uint32_t, PackKey> keys;
  REQUIRE(placement.size() == items.size());
  for (const PlacementItem& item : items) {
    const Slot place = placement.at(item.slot);
    if (item.form == Form::fixed) CHECK(place == item.slot);
    if (item.components == 2) CHECK(place.component % 2 == 0);
    for (const Slot slot : slots_at(item, place)) {
      CHECK(slot.component < 4);
      CHECK(taken.insert(slot).second);
      CHECK(keys.emplace(slot.location, item.key).first->second == item.key);
    }
  }
}

std::uint32_t highest(const std::vector<PlacementItem>& items, const std::map<Slot, Slot>& placement) {
  std::uint32_t end = 0;
  for (const PlacementItem& item : items)
    for (const Slot slot : slots_at(item, placement.at(item.slot))) end = std::max(end, slot.location + 1);
  return end;
}

TEST_CASE("scalars fill locations from zero up", "[passes]") {
  const std::vector<PlacementItem> items = {scalar({3, 0}), scalar({5, 1}), scalar({7, 2}), scalar({9, 3}),
                                            scalar({11, 0})};
  const auto placement = place(items);
  check_legal(items, placement);
  CHECK(highest(items, placement) == 2);
  CHECK(is_better(items, placement));
  CHECK_FALSE(is_better(items, identity_placement(items)));
}

TEST_CASE("flat and smooth scalars do not share a location", "[passes]") {
  const std::vector<PlacementItem> items = {scalar({0, 0}), scalar({1, 0}, true), scalar({2, 0}), scalar({3, 0}, true)};
  const auto placement = place(items);
  check_legal(items, placement);
  CHECK(highest(items, placement) == 2);
}

TEST_CASE("fixed items stay, and everything else goes around them", "[passes]") {
  const std::vector<PlacementItem> items = {whole({0, 0}, 2, Form::fixed), scalar({6, 0}), whole({8, 0}, 3),
                                            whole({3, 0}, 1, Form::fixed)};
  const auto placement = place(items);
  check_legal(items, placement);
  CHECK(placement.at({6, 0}).location == 2);
}

// Scalars of one key need a quarter of a location each; everything else needs what it is. No placement can be smaller.
std::uint32_t fewest_locations(const std::vector<PlacementItem>& items) {
  std::map<PackKey, std::uint32_t> components;
  std::uint32_t locations = 0;
  for (const PlacementItem& item : items)
    if (item.form == Form::scalar)
      components[item.key] += item.components;
    else
      locations += item.locations;
  for (const auto& [key, count] : components) locations += (count + 3) / 4;
  return locations;
}

TEST_CASE("random interfaces get legal placements as small as they can be", "[passes]") {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<PlacementItem> items;
    std::uint32_t location = random() % 3;
    const std::uint32_t count = 1 + random() % 12;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (random() % 5 == 0) {
        items.push_back(whole({location, 0}, 1 + random() % 3));
        location += items.back().locations;
      } else {
        PlacementItem item = scalar({location, 0}, random() % 2 == 0);
        item.key.interpolation.centroid = !item.key.interpolation.flat && random() % 4 == 0;
        item.relaxed = random() % 3 == 0;
        if (item.key.interpolation.flat && random() % 3 == 0) {
          item.components = 2;
          item.key.width = 64;
        }
        items.push_back(item);
        ++location;
      }
      location += random() % 2;
    }
    INFO(round);
    const auto placement = place(items);
    check_legal(items, placement);
    CHECK(highest(items, placement) == fewest_locations(items));
    CHECK(place(items) == placement);
  }
}

}  // namespace
}  // namespace varylink::passes
