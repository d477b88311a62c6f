#include "passes/packing/array_columns.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "link/values/interpolated_reads.h"
#include "varyings/vectorize/array_elements.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using varyings::Slot;

constexpr std::uint32_t kColumnComponents = 4;

// The same on both sides, or none.
std::optional<varyings::ArrayShape> shape_of(const link::Link& link, const PlacementItem& item) {
  // Items that are not interpolated could be of several types.
  const bool is_candidate = item.form == varyings::Varying::Form::unsplit && !item.relaxed && !item.unread &&
                            !item.captured && !item.key.interpolation.flat;
  if (!is_candidate) return std::nullopt;
  const link::LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  const varyings::Varying* output = find_varying(producer.outputs, item.slot);
  const varyings::Varying* input = find_varying(consumer.inputs, item.slot);
  if (!output || !input) return std::nullopt;
  const auto shape = varyings::shape_to_widen(consumer.module, *input);
  if (!shape || shape != varyings::shape_to_widen(producer.module, *output)) return std::nullopt;
  // A column that is trimmed away on one side only would be missing there. An array that is to be declared densely has
  // as many components in other rows.
  if (shape->length * shape->components != item.locations * item.occupied) return std::nullopt;
  return varyings::ArrayShape{item.locations, item.occupied};
}

class Filler {
 public:
  Filler(const link::Link& link, const std::vector<PlacementItem>& items, std::map<Slot, Slot> placement,
         const PlacementOptions& options)
      : link_(link), items_(items), options_(options), interpolated_(link::find_interpolated_reads(link).anywhere) {
    best_.placement = std::move(placement);
  }

  ArrayColumns run() {
    for (const PlacementItem& array : items_)
      if (const auto shape = shape_of(link_, array)) fill(array, *shape);
    return std::move(best_);
  }

 private:
  bool may_join(const PlacementItem& item, const PlacementItem& array) const {
    return item.form == varyings::Varying::Form::scalar && item.key == array.key && !item.captured && !item.relaxed &&
           !item.unread && interpolated_.count(item.slot) == 0 && best_.seats.count(item.slot) == 0;
  }

  // Those that share their location with the fewest others come first, so that vectors stay together.
  std::vector<Slot> candidates(const PlacementItem& array) const {
    std::map<std::uint32_t, std::uint32_t> sharers;  // by old location
    for (const PlacementItem& item : items_) ++sharers[item.slot.location];
    std::vector<Slot> slots;
    for (const PlacementItem& item : items_)
      if (may_join(item, array)) slots.push_back(item.slot);
    std::stable_sort(slots.begin(), slots.end(), [&](Slot a, Slot b) {
      return std::tuple(sharers[a.location], a) < std::tuple(sharers[b.location], b);
    });
    return slots;
  }

  void fill(const PlacementItem& array, const varyings::ArrayShape& shape) {
    const std::vector<Slot> joining = candidates(array);
    const std::size_t most = std::min<std::size_t>(kColumnComponents - shape.components, joining.size() / shape.length);
    for (std::size_t columns = most; columns > 0; --columns) {
      ArrayColumns tried = best_;
      for (std::uint32_t i = 0; i < columns * shape.length; ++i)
        tried.seats[joining[i]] = {array.slot, i % shape.length, shape.components + i / shape.length};
      place_around(tried);
      if (!is_cheaper(items_, tried.placement, best_.placement)) continue;
      best_ = std::move(tried);
      return;
    }
  }

  void place_around(ArrayColumns& columns) const {
    std::vector<PlacementItem> others;
    for (const PlacementItem& item : items_)
      if (columns.seats.count(item.slot) == 0) others.push_back(item);
    for (const auto& [slot, seat] : columns.seats)
      for (PlacementItem& item : others)
        if (item.slot == seat.array) item.occupied = kColumnComponents;
    columns.placement = place(others, options_);
    for (const auto& [slot, seat] : columns.seats)
      columns.placement[slot] = {columns.placement.at(seat.array).location + seat.element, seat.component};
  }

  const link::Link& link_;
  const std::vector<PlacementItem>& items_;
  const PlacementOptions& options_;
  std::set<Slot> interpolated_;
  ArrayColumns best_;
};

}  // namespace

ArrayColumns fill_array_columns(const link::Link& link, const std::vector<PlacementItem>& items,
                                std::map<Slot, Slot> placement, const PlacementOptions& options) {
  const bool is_shared = link.producers.size() != 1 || link.consumers.size() != 1;
  if (is_shared || !link.consumer_interpolates()) return {std::move(placement), {}};
  return Filler(link, items, std::move(placement), options).run();
}

}  // namespace varylink::passes
