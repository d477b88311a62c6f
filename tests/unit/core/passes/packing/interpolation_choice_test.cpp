#include "passes/packing/interpolation_choice.h"

#include <algorithm>
#include <random>
#include <set>

#include "support/catch.h"

namespace varylink::passes {
namespace {

using varyings::Interpolation;
using varyings::Slot;

constexpr Interpolation kSmooth = {};
constexpr Interpolation kFlat = {true, false, false, false, false};
constexpr Interpolation kLinear = {false, true, false, false, false};
constexpr Interpolation kSample = {false, false, false, true, false};

PlacementItem scalar(std::uint32_t index, Interpolation interpolation, bool convergent) {
  PlacementItem item;
  item.slot = {index / 4, index % 4};
  item.key.interpolation = interpolation;
  item.convergent = convergent;
  return item;
}

std::size_t locations(const std::vector<PlacementItem>& items) {
  std::set<std::uint32_t> used;
  const auto placement = place(items);
  for (const PlacementItem& item : items) used.insert(placement.at(item.slot).location);
  return used.size();
}

bool may_change(const PlacementItem& item) {
  return item.convergent && item.key.interpolation != kFlat && item.key.interpolation != kSample;
}

// The fewest locations over every assignment of classes to the items from `first` on.
std::size_t fewest(std::vector<PlacementItem> items, std::size_t first) {
  while (first < items.size() && !may_change(items[first])) ++first;
  if (first == items.size()) return locations(items);
  std::size_t best = items.size();
  for (const Interpolation& choice : {kSmooth, kFlat, kLinear, kSample}) {
    std::vector<PlacementItem> changed = items;
    changed[first].key.interpolation = choice;
    changed[first].convergent = false;
    best = std::min(best, fewest(changed, first + 1));
  }
  return best;
}

TEST_CASE("chosen interpolations need as few locations as any choice", "[interpolation_choice]") {
  std::mt19937 random(7);
  const Interpolation classes[] = {kSmooth, kFlat, kLinear, kSample};
  for (int round = 0; round < 300; ++round) {
    std::vector<PlacementItem> items;
    int convergent = 0;
    for (std::uint32_t i = 0, count = 1 + random() % 12; i < count; ++i) {
      items.push_back(scalar(i, classes[random() % 4], random() % 2 == 0 && convergent < 4));
      convergent += items.back().convergent;
    }
    const std::vector<PlacementItem> chosen = with_chosen_interpolations(items);
    // A choice that gains nothing is not taken, so only the better of both counts.
    CHECK(std::min(locations(chosen), locations(items)) == fewest(items, 0));
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!may_change(items[i])) CHECK(chosen[i].key == items[i].key);
  }
}

TEST_CASE("flat and per-sample items keep their interpolation", "[interpolation_choice]") {
  const std::vector<PlacementItem> items = {scalar(0, kSmooth, false), scalar(4, kFlat, true),
                                            scalar(8, kSample, true)};
  const std::vector<PlacementItem> chosen = with_chosen_interpolations(items);
  for (std::size_t i = 0; i < items.size(); ++i) CHECK(chosen[i].key == items[i].key);
}

PlacementItem integers(std::uint32_t location, std::uint32_t components) {
  PlacementItem item = scalar(4 * location, kFlat, false);
  item.form = varyings::Varying::Form::unsplit;
  item.kind = varyings::ScalarKind::sint;
  item.components = components;
  return item;
}

// Four smooth floats, and one more that is equal at all vertices.
std::vector<PlacementItem> with_five_smooth(std::vector<PlacementItem> items) {
  for (std::uint32_t i = 0; i < 5; ++i) items.push_back(scalar(40 + i, kSmooth, i == 4));
  return items;
}

// forbids
TEST_CASE("room beside a vector that keeps its type is for this type", "[interpolation_choice]") {
  const std::vector<PlacementItem> items = with_five_smooth({integers(0, 3)});
  CHECK(locations(items) == 3);
  CHECK(locations(with_chosen_interpolations(items)) == 3);
}

// allows
TEST_CASE("what is equal at all vertices joins its type", "[interpolation_choice]") {
  const std::vector<PlacementItem> items = with_five_smooth({integers(0, 3), scalar(4, kFlat, false)});
  CHECK(locations(items) == 4);
  CHECK(locations(with_chosen_interpolations(items)) == 3);
}

// A vector that fills its location keeps nothing apart elsewhere.
// allows
TEST_CASE("a full vector is beside nothing", "[interpolation_choice]") {
  PlacementItem integer = scalar(4, kFlat, false);
  integer.kind = varyings::ScalarKind::sint;
  const std::vector<PlacementItem> items = with_five_smooth({integers(0, 4), integer});
  CHECK(locations(with_chosen_interpolations(items)) == 3);
}

}  // namespace
}  // namespace varylink::passes
