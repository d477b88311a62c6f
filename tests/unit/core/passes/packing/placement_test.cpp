#include "passes/packing/placement.h"

#include <algorithm>
#include <random>
#include <set>

#include "support/catch.h"

namespace varylink::passes {
namespace {

using varyings::Slot;
using Form = varyings::Varying::Form;

PlacementItem scalar(Slot slot, bool flat = false) {
  PlacementItem item;
  item.slot = slot;
  item.key.interpolation.flat = flat;
  return item;
}

PlacementItem whole(Slot slot, std::uint32_t locations, Form form = Form::unsplit) {
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

PlacementItem array(Slot slot, std::uint32_t locations, std::uint32_t occupied) {
  PlacementItem item = whole(slot, locations);
  item.components = occupied * locations;
  item.occupied = occupied;
  return item;
}

TEST_CASE("components that array elements leave free are used only on request", "[passes]") {
  const std::vector<PlacementItem> items = {array({0, 0}, 2, 3), scalar({2, 0}), scalar({2, 1})};
  CHECK(highest({items[0]}, place(items)) == 2);
  CHECK(place(items).at({2, 0}).location == 2);
  const PlacementOptions beside{true};
  const auto placement = place(items, beside);
  CHECK(placement.at({0, 0}) == Slot{0, 0});
  CHECK(placement.at({2, 0}) == Slot{0, 3});
  CHECK(placement.at({2, 1}) == Slot{1, 3});
  CHECK(is_better(items, placement, beside));
}

TEST_CASE("holes in arrays are left alone where they save no location, and for other keys", "[passes]") {
  const PlacementOptions beside{true};
  const std::vector<PlacementItem> vector = {array({0, 0}, 1 + 1, 3), scalar({2, 0}), scalar({2, 1}), scalar({2, 2})};
  CHECK(place(vector, beside).at({2, 0}) == Slot{2, 0});
  const std::vector<PlacementItem> flat = {array({0, 0}, 2, 3), scalar({2, 0}, true)};
  CHECK(place(flat, beside).at({2, 0}) == Slot{2, 0});
}

TEST_CASE("what nobody reads comes last, or fills what is free anyway", "[passes]") {
  std::vector<PlacementItem> items = {whole({0, 0}, 2), scalar({2, 0}), scalar({3, 0})};
  items[0].unread = true;
  items[1].unread = true;
  const auto placement = place(items);
  CHECK(placement.at({3, 0}).location == 0);
  CHECK(placement.at({0, 0}).location == 1);
  CHECK(placement.at({2, 0}) == Slot{0, 1});
}

TEST_CASE("a gap between fixed items is used even by what nobody reads", "[passes]") {
  std::vector<PlacementItem> items = {whole({2, 0}, 1, Form::fixed), scalar({5, 0}), whole({6, 0}, 2)};
  items[2].unread = true;
  CHECK(highest(items, place(items)) == 4);
}

// The lowest possible end of an interface, by trying everything.
class BruteForce {
 public:
  explicit BruteForce(const std::vector<PlacementItem>& items) : items_(items) {}

  std::uint32_t run() {
    for (const PlacementItem& item : items_)
      if (item.form == Form::fixed) put(item, item.slot);
    for (std::uint32_t end = 0;; ++end)
      if (end_of_fixed_ <= end && fits(0, end)) return end;
  }

 private:
  bool fits(std::size_t index, std::uint32_t end) {
    if (index == items_.size()) return true;
    const PlacementItem& item = items_[index];
    if (item.form == Form::fixed) return fits(index + 1, end);
    for (std::uint32_t location = 0; location + item.locations <= end; ++location)
      for (std::uint32_t component = 0; component + (item.locations == 1 ? item.components : 4) <= 4; ++component) {
        if (item.components == 2 && item.key.width == 64 && component % 2 != 0) continue;
        if (!is_free(item, {location, component})) continue;
        const auto taken = taken_;
        const auto keys = keys_;
        put(item, {location, component});
        if (fits(index + 1, end)) return true;
        taken_ = taken;
        keys_ = keys;
      }
    return false;
  }

  static std::vector<Slot> all_slots(const PlacementItem& item, Slot place) {
    if (item.locations > 1 || item.form == Form::fixed) return slots_at(item, {place.location, 0});
    std::vector<Slot> slots;
    for (std::uint32_t i = 0; i < item.components; ++i) slots.push_back({place.location, place.component + i});
    return slots;
  }

  bool is_free(const PlacementItem& item, Slot place) const {
    for (const Slot slot : all_slots(item, place)) {
      const auto key = keys_.find(slot.location);
      if (taken_.count(slot) != 0 || fixed_.count(slot.location) != 0 ||
          (key != keys_.end() && key->second != item.key))
        return false;
    }
    return true;
  }

  void put(const PlacementItem& item, Slot place) {
    for (const Slot slot : all_slots(item, place)) {
      taken_.insert(slot);
      keys_.emplace(slot.location, item.key);
      if (item.form != Form::fixed) continue;
      fixed_.insert(slot.location);
      end_of_fixed_ = std::max(end_of_fixed_, slot.location + 1);
    }
  }

  const std::vector<PlacementItem>& items_;
  std::set<Slot> taken_;
  std::set<std::uint32_t> fixed_;
  std::map<std::uint32_t, PackKey> keys_;
  std::uint32_t end_of_fixed_ = 0;
};

std::vector<PlacementItem> random_instance(std::mt19937& random) {
  std::vector<PlacementItem> items;
  std::uint32_t location = random() % 3;
  const std::uint32_t count = 1 + random() % 7;
  for (std::uint32_t i = 0; i < count; ++i) {
    PlacementItem item = scalar({location, 0}, random() % 3 == 0);
    switch (random() % 6) {
      case 0: item = whole({location, 0}, 1 + random() % 3, Form::fixed); break;
      case 1: item = whole({location, 0}, 2 + random() % 2); break;
      case 2:
        item.form = Form::unsplit;
        item.components = 2 + random() % 2;
        break;
      default: break;
    }
    item.unread = item.form != Form::fixed && random() % 4 == 0;
    location += item.locations + random() % 2;
    items.push_back(item);
  }
  return items;
}

TEST_CASE("no placement ends lower, as trying all of them shows", "[passes]") {
  std::mt19937 random(11);
  for (int round = 0; round < 120; ++round) {
    const std::vector<PlacementItem> items = random_instance(random);
    INFO(round);
    const auto placement = place(items);
    std::uint32_t end = 0;
    for (const PlacementItem& item : items) end = std::max(end, placement.at(item.slot).location + item.locations);
    CHECK(end == BruteForce(items).run());
  }
}

}  // namespace
}  // namespace varylink::passes
