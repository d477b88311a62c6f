#include "passes/pack_slots.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "link/values/slot_values.h"
#include "passes/densify_arrays.h"
#include "passes/packing/array_columns.h"
#include "passes/packing/interface_items.h"
#include "passes/packing/interpolation_choice.h"
#include "passes/packing/packed_variables.h"
#include "passes/packing/placement.h"
#include "passes/packing/read_vectors.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using link::LinkedStage;
using varyings::Slot;
using varyings::Varying;

// A stage that has only these varyings of all needs no more than it did.
bool suits(const std::vector<Varying>& varyings, const std::vector<PlacementItem>& items,
           const std::map<Slot, Slot>& placement) {
  std::vector<PlacementItem> own;
  for (const PlacementItem& item : items)
    if (find_varying(varyings, item.slot)) own.push_back(item);
  return is_no_worse(own, placement);
}

bool suits_every_consumer(const link::Link& link, const std::vector<PlacementItem>& items,
                          const std::map<Slot, Slot>& placement) {
  return std::all_of(link.consumers.begin(), link.consumers.end(),
                     [&](const LinkedStage* consumer) { return suits(consumer->inputs, items, placement); });
}

// In a shared interface no stage may get worse than it was, whatever the others gain.
bool suits_every_stage(const link::Link& link, const std::vector<PlacementItem>& items,
                       const std::map<Slot, Slot>& placement) {
  if (!link.is_shared()) return true;
  return suits_every_consumer(link, items, placement) &&
         std::all_of(link.producers.begin(), link.producers.end(),
                     [&](const LinkedStage* producer) { return suits(producer->outputs, items, placement); });
}

// The items themselves, or, if that saves locations, with other interpolations for what is convergent or unread.
std::vector<PlacementItem> choose_interpolations(const link::Link& link, const std::vector<PlacementItem>& items,
                                                 const PlacementOptions& options) {
  if (std::none_of(items.begin(), items.end(), [](const auto& item) { return item.convergent || item.unread; }))
    return items;
  std::vector<PlacementItem> changed = with_chosen_interpolations(items);
  const std::map<Slot, Slot> placement = place(changed, options);
  const bool pays = is_cheaper(items, placement, place(items, options)) && suits_every_stage(link, changed, placement);
  return pays ? changed : items;
}

// Where everything goes, whether or not that is better than what there is.
struct PackingTrial {
  std::vector<PlacementItem> items;  // with the interpolations that were chosen
  Packing packing;
  PlacementOptions options;  // that it was placed with
};

// The items in groups of which each location should hold one, if that costs no location.
using Grouping = std::vector<PlacementItem>;

// With the first of the groupings that costs no location, if there is one.
PackingTrial placed(const link::Link& link, const std::vector<PlacementItem>& items,
                    const std::vector<Grouping>& groupings, PlacementOptions options) {
  const std::vector<PlacementItem> chosen = choose_interpolations(link, items, options);
  Packing packing{place(chosen, options), {}, {}};
  for (const Grouping& grouping : groupings) {
    Grouping grouped = chosen;
    for (std::size_t i = 0; i < grouped.size(); ++i) grouped[i].group = grouping[i].group;
    std::map<Slot, Slot> placement = place(grouped, options);
    if (is_cheaper(chosen, packing.placement, placement) || !suits_every_stage(link, chosen, placement)) continue;
    packing.placement = std::move(placement);
    break;
  }
  // What is only read back may stand in front of what is read, and then keep it from staying together.
  if (options.beside_arrays && !suits_every_consumer(link, chosen, packing.placement)) {
    options.beside_arrays = false;
    packing.placement = place(chosen, options);
  }
  if (!suits_every_stage(link, chosen, packing.placement)) {
    options.keep_together = true;
    packing.placement = place(chosen, options);
  }
  if (!suits_every_stage(link, chosen, packing.placement)) packing.placement = closed_up(items);
  ArrayColumns columns = fill_array_columns(link, chosen, std::move(packing.placement), options);
  packing.placement = std::move(columns.placement);
  packing.seats = std::move(columns.seats);
  return {chosen, std::move(packing), std::move(options)};
}

// Whether what is read of each location, as it came, is interpolated in one way.
bool is_interpolated_alike(const std::vector<PlacementItem>& items) {
  std::map<std::uint32_t, varyings::Interpolation> known;
  return std::all_of(items.begin(), items.end(), [&](const PlacementItem& item) {
    if (item.unread || item.form == Varying::Form::fixed) return true;
    return known.try_emplace(item.slot.location, item.key.interpolation).first->second == item.key.interpolation;
  });
}

// Vectors are kept together where that costs no stage a location. None if nothing is better than what there is.
std::optional<Packing> better_packing(const link::Link& link, const std::vector<PlacementItem>& items,
                                      const std::vector<Grouping>& groupings,
                                      const std::vector<PlacementVector>& vectors, PassContext& context) {
  PlacementOptions options;
  options.beside_arrays = context.options().pack_beside_arrays;
  PackingTrial trial = placed(link, items, groupings, options);
  if (!vectors.empty()) {
    options.vectors = vectors;
    PackingTrial whole = placed(link, items, groupings, options);
    if (!is_cheaper(items, trial.packing.placement, whole.packing.placement) &&
        suits_every_stage(link, whole.items, whole.packing.placement))
      trial = std::move(whole);
  }
  const auto is_good = [&](const PackingTrial& one) {
    return suits_every_stage(link, one.items, one.packing.placement) &&
           is_better(items, one.packing.placement, one.options);
  };
  // What shares a location as it came need not be able to share one anew. Then it stays together, and holes close.
  if (!is_good(trial)) {
    if (!is_interpolated_alike(items)) return std::nullopt;
    trial = {items, {closed_up(items), {}, {}}, trial.options};
    if (!is_good(trial)) return std::nullopt;
  }
  if (!context.spend_fuel()) return std::nullopt;
  Packing& packing = trial.packing;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (trial.items[i].key != items[i].key && !items[i].unread)
      packing.interpolation[items[i].slot] = trial.items[i].key.interpolation;
  return std::move(packing);
}

bool has_two_precisions(const std::vector<PlacementItem>& items) {
  return std::any_of(items.begin(), items.end(),
                     [&](const PlacementItem& item) { return item.relaxed != items.front().relaxed; });
}

Packing choose_packing(const link::Link& link, const std::map<Slot, Varying>& all, const Separation& separation,
                       const std::vector<PlacementItem>& items, const std::vector<PlacementVector>& vectors,
                       PassContext& context) {
  const Grouping by_variable = separation.grouped(all, items, false);
  const bool portable = context.options().portable;
  std::optional<Packing> packing;
  if (portable) packing = better_packing(link, by_variable, {}, vectors, context);
  // Where several variables share a location already, other tools do not take the pipeline anyway.
  if (!portable || (!packing && shares_illegally(by_variable))) {
    std::vector<Grouping> groupings;
    if (has_two_precisions(items)) groupings.push_back(separation.grouped(all, items, true));
    groupings.push_back(by_variable);
    packing = better_packing(link, items, groupings, vectors, context);
  }
  return packing ? *packing : Packing{identity_placement(items), {}, {}};
}

std::string reason_to_stay(const link::Link& link, const Varying& varying, const link::ComponentRecord& record) {
  const std::string& known = varying.form == Varying::Form::scalar ? record.reason : varying.kept_because;
  if (!known.empty()) return known;
  if (is_read(link, varying.slot)) return "the next stage reads it";
  const bool read_back = std::any_of(link.producers.begin(), link.producers.end(), [&](const LinkedStage* producer) {
    const link::StoreTable table(*producer);
    const link::SlotStores* stores = table.find(varying.slot);
    return stores && stores->read_back;
  });
  return read_back ? "the stage that writes it reads it" : "no pass that ran removes it";
}

}  // namespace

Result<Progress> pack_slots(link::Link& link, PassContext& context) {
  const std::map<Slot, Varying> all = all_varyings(link);
  const Separation separation(link, all);
  const Packing packing =
      choose_packing(link, all, separation, placement_items(link, all), read_vectors(link), context);
  link.packed = packed_variables(all, separation, packing);
  link.placement = packing.placement;
  for (const auto& [old_slot, varying] : all) {
    // A narrowed array may have lost the component at its own slot.
    const auto record = link.record(varying.slots.empty() ? old_slot : varying.slots.front());
    const Slot place = packing.placement.at(old_slot);
    if (record && record->fate == link::Fate::moved) record->new_slot = place;
    if (!record || record->fate != link::Fate::kept) continue;
    std::string reason = reason_to_stay(link, varying, *record);
    const auto chosen = packing.interpolation.find(old_slot);
    if (chosen != packing.interpolation.end())
      reason += "; equal at all vertices, so it is sent " + text(chosen->second);
    link.record_fate(varying, link::Fate::kept, reason, place);
  }
  return Progress::none;
}

link::InterfaceSize packed_size(const link::Link& link, const link::LinkOptions& options) {
  link::LinkOptions unlimited = options;
  unlimited.fuel.reset();
  PassContext context(unlimited);
  std::map<Slot, Varying> all = all_varyings(link);
  for (const auto& [slot, shape] : dense_shapes(link, unlimited)) {
    all.at(slot).location_count = shape.rows;
    all.at(slot).columns = shape.columns;
  }
  const std::vector<PlacementItem> items = placement_items(link, all);
  const Packing packing = choose_packing(link, all, Separation(link, all), items, {}, context);
  link::InterfaceSize size;
  std::set<std::uint32_t> locations;
  for (const PlacementItem& item : items) {
    if (!is_written(link, item.slot)) continue;
    size.components += item.components;
    const std::uint32_t first = packing.placement.at(item.slot).location;
    for (std::uint32_t i = 0; i < item.locations; ++i) locations.insert(first + i);
  }
  size.locations = static_cast<std::uint32_t>(locations.size());
  size.highest_location = locations.empty() ? 0 : *locations.rbegin() + 1;
  return size;
}

}  // namespace varylink::passes
