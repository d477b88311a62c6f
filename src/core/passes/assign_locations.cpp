#include "passes/assign_locations.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "link/model/varying_index.h"
#include "link/values/slot_values.h"
#include "passes/packing/array_columns.h"
#include "passes/packing/interface_items.h"
#include "passes/packing/interpolation_choice.h"
#include "passes/packing/packed_variables.h"
#include "passes/packing/placement.h"
#include "passes/packing/read_vectors.h"
#include "passes/repack_arrays.h"
#include "spirv/ir/globals.h"

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

// With captured outputs in the locations of others, if that saves any (rule ).
std::vector<PlacementItem> choose_neighbours_of_captured(const link::Link& link,
                                                         const std::vector<PlacementItem>& items,
                                                         const PlacementOptions& options) {
  std::vector<PlacementItem> apart = choose_interpolations(link, items, options);
  if (std::none_of(items.begin(), items.end(), [](const PlacementItem& item) { return item.captured; })) return apart;
  std::vector<PlacementItem> beside = items;
  for (PlacementItem& item : beside) item.key.only_captured = false;
  beside = choose_interpolations(link, beside, options);
  const std::map<Slot, Slot> placement = place(beside, options);
  const bool pays = is_cheaper(items, placement, place(apart, options)) && suits_every_stage(link, beside, placement);
  return pays ? beside : apart;
}

// Where everything goes, whether or not that is better than what there is.
struct PackingTrial {
  std::vector<PlacementItem> items;  // with the interpolations that were chosen
  Packing packing;
  PlacementOptions options;  // that it was placed with
};

// The items in groups of which each location should hold one, if that costs no location.
using Grouping = std::vector<PlacementItem>;

// With the first of the groupings that costs no location, if there is one. If `obliged`, one variable in each location
// counts for more than what that costs a stage.
PackingTrial placed(const link::Link& link, const std::vector<PlacementItem>& items,
                    const std::vector<Grouping>& groupings, PlacementOptions options, bool obliged) {
  const std::vector<PlacementItem> chosen = choose_neighbours_of_captured(link, items, options);
  Packing packing{place(chosen, options), {}, {}};
  for (const Grouping& grouping : groupings) {
    Grouping grouped = chosen;
    for (std::size_t i = 0; i < grouped.size(); ++i) grouped[i].group = grouping[i].group;
    std::map<Slot, Slot> placement = place(grouped, options);
    if (is_cheaper(chosen, packing.placement, placement) || !suits_every_stage(link, chosen, placement)) continue;
    packing.placement = std::move(placement);
    break;
  }
  // Components that are only read back may be in front of those that consumers read, and then keep these from staying
  // together.
  if (options.beside_arrays && !suits_every_consumer(link, chosen, packing.placement)) {
    options.beside_arrays = false;
    packing.placement = place(chosen, options);
  }
  if (!obliged && !suits_every_stage(link, chosen, packing.placement)) {
    options.keep_together = true;
    packing.placement = place(chosen, options);
  }
  if (!obliged && !suits_every_stage(link, chosen, packing.placement)) packing.placement = closed_up(items);
  if (!options.never_divide) {
    ArrayColumns columns = fill_array_columns(link, chosen, std::move(packing.placement), options);
    packing.placement = std::move(columns.placement);
    packing.seats = std::move(columns.seats);
  }
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

// A location costs less than an operation: what is moved beside others only comes at other times.
bool has_cheap_locations(const analysis::CostProfile& profile) {
  using analysis::OpClass;
  return profile[OpClass::input_location].cost + profile[OpClass::output_location].cost < profile[OpClass::basic].cost;
}

bool divides_vectors(const link::LinkOptions& options) {
  return !options.no_costlier_stage && !has_cheap_locations(options.profile);
}

// A coordinate that is read together with something else is copied, for more than the location costs.
bool has_dear_coordinates(const analysis::CostProfile& profile) {
  using analysis::OpClass;
  return profile[OpClass::shared_coordinate].cost > profile[OpClass::input_location].cost;
}

// No variable is put beside another: drivers of such GPUs place varyings themselves.
bool stays_apart(const link::LinkOptions& options) {
  return options.no_costlier_stage && has_cheap_locations(options.profile);
}

// What shares a location may do so, and has the shape that it came in.
bool may_keep_places(const std::vector<PlacementItem>& items) {
  return !shares_illegally(items) && std::all_of(items.begin(), items.end(), [](const PlacementItem& item) {
    return item.form == Varying::Form::scalar && item.locations == 1;
  });
}

// Vectors are kept together where that costs no stage a location. None if nothing is better than what there is, and
// there is no obligation.
std::optional<Packing> better_packing(const link::Link& link, const std::vector<PlacementItem>& items,
                                      const std::vector<Grouping>& groupings,
                                      const std::vector<PlacementVector>& vectors, bool obliged, PassContext& context) {
  const link::LinkOptions& wanted = context.options();
  PlacementOptions options;
  options.beside_arrays = wanted.pack_beside_arrays;
  options.never_divide = !divides_vectors(wanted);
  options.coordinates_alone = wanted.no_costlier_stage && has_dear_coordinates(wanted.profile);
  PackingTrial trial = placed(link, items, groupings, options, obliged);
  if (!vectors.empty()) {
    options.vectors = vectors;
    PackingTrial whole = placed(link, items, groupings, options, obliged);
    if ((options.never_divide || !is_cheaper(items, trial.packing.placement, whole.packing.placement)) &&
        suits_every_stage(link, whole.items, whole.packing.placement))
      trial = std::move(whole);
  }
  if (stays_apart(wanted) && !wanted.portable && may_keep_places(items))
    trial = {items, {closed_up(items), {}, {}}, trial.options};
  const auto is_good = [&](const PackingTrial& one) {
    // What shares a location with captured outputs may do so now if it may then.
    std::vector<PlacementItem> now = items;
    for (std::size_t i = 0; i < items.size(); ++i) now[i].key.only_captured = one.items[i].key.only_captured;
    return suits_every_stage(link, one.items, one.packing.placement) &&
           is_better(now, one.packing.placement, one.options);
  };
  // Varyings that share a location in the input need not be able to share one anew. Then they stay together, and holes
  // close.
  if (!obliged && !is_good(trial)) {
    if (!is_interpolated_alike(items)) return std::nullopt;
    trial = {items, {closed_up(items), {}, {}}, trial.options};
    if (!is_good(trial)) return std::nullopt;
  }
  if (!context.spend_fuel()) return std::nullopt;
  Packing& packing = trial.packing;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (trial.items[i].key.interpolation != items[i].key.interpolation && !items[i].unread)
      packing.interpolation[items[i].slot] = trial.items[i].key.interpolation;
  return std::move(packing);
}

// Where variables came with a Component decoration.
std::set<std::uint32_t> locations_with_components(const LinkedStage& stage, spv::StorageClass storage) {
  const spirv::Module& module = *stage.original_module;
  std::map<spirv::Id, std::uint32_t> location_of;
  std::set<spirv::Id> with_component;
  for (const spirv::InstRef inst : module.annotations) {
    if (module[inst].op != spv::Op::OpDecorate) continue;
    const spirv::Id id = module.operand(inst, 0).word;
    const auto decoration = static_cast<spv::Decoration>(module.operand(inst, 1).word);
    if (decoration == spv::Decoration::Location) location_of[id] = module.operand(inst, 2).word;
    if (decoration == spv::Decoration::Component && spirv::is_variable_in(module, id, storage))
      with_component.insert(id);
  }
  std::set<std::uint32_t> locations;
  for (const spirv::Id id : with_component) locations.insert(location_of[id]);
  return locations;
}

// Something that may change came so. It is written anew even if it stays where it is, since variables become one there.
bool came_with_components(const link::Link& link, const std::vector<PlacementItem>& items) {
  const auto any = [&](const std::vector<LinkedStage*>& stages, spv::StorageClass storage) {
    return std::any_of(stages.begin(), stages.end(), [&](const LinkedStage* stage) {
      const std::set<std::uint32_t> locations = locations_with_components(*stage, storage);
      return std::any_of(items.begin(), items.end(), [&](const PlacementItem& item) {
        return item.form != Varying::Form::fixed && !item.structure && locations.count(item.slot.location) != 0;
      });
    });
  };
  return any(link.producers, spv::StorageClass::Output) || any(link.consumers, spv::StorageClass::Input);
}

// Inputs that nothing writes stay in their locations, but begin them where nothing else is in these, or get others.
void begin_locations(const std::map<Slot, Varying>& all, const std::vector<PlacementItem>& items, Packing& packing) {
  std::map<std::uint32_t, std::size_t> holders;
  for (const PlacementItem& item : items)
    for (std::uint32_t i = 0; i < item.locations; ++i) ++holders[packing.placement.at(item.slot).location + i];
  for (const PlacementItem& item : items) {
    if (item.form != Varying::Form::fixed || all.at(item.slot).form == Varying::Form::fixed) continue;
    Slot& place = packing.placement.at(item.slot);
    if (place.component == 0 || item.structure) continue;
    bool is_alone = true;
    for (std::uint32_t i = 0; i < item.locations; ++i) is_alone = is_alone && holders[place.location + i] == 1;
    place = {is_alone ? place.location : holders.rbegin()->first + 1, 0};
    for (std::uint32_t i = 0; i < item.locations; ++i) ++holders[place.location + i];
  }
}

// What came in different locations is of different groups, too.
Grouping apart_by_location(Grouping items) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> groups;
  for (PlacementItem& item : items) {
    const auto number = static_cast<std::uint32_t>(groups.size());
    item.group = groups.try_emplace({item.group, item.slot.location}, number).first->second;
  }
  return items;
}

Packing choose_packing(const link::Link& link, const std::map<Slot, Varying>& all, const Separation& separation,
                       const std::vector<PlacementItem>& items, const std::vector<PlacementVector>& vectors,
                       PassContext& context) {
  const Grouping by_variable = separation.grouped(items, false), by_reading = separation.grouped(items, true);
  const link::LinkOptions& wanted = context.options();
  std::optional<Packing> packing;
  if (wanted.portable) {
    const bool obliged = !has_one_variable_each(by_variable, identity_placement(items));
    packing = better_packing(link, stays_apart(wanted) ? apart_by_location(by_variable) : by_variable, {by_reading},
                             vectors, obliged, context);
    if (!packing) packing = Packing{identity_placement(items), {}, {}};
    begin_locations(all, items, *packing);
  } else if (stays_apart(wanted)) {
    packing = better_packing(link, apart_by_location(items), {}, vectors, false, context);
  } else {
    packing = better_packing(link, items, {by_reading, by_variable}, vectors, false, context);
  }
  return packing ? *packing : Packing{identity_placement(items), {}, {}};
}

// Of the items that some of these stages have.
link::InterfaceSize size_of(const std::vector<link::VaryingIndex>& stages, const std::vector<PlacementItem>& items,
                            const Packing& packing) {
  link::InterfaceSize size;
  std::set<std::uint32_t> locations;
  for (const PlacementItem& item : items) {
    if (std::none_of(stages.begin(), stages.end(),
                     [&](const link::VaryingIndex& stage) { return stage.find(item.slot); }))
      continue;
    size.components += item.components;
    const std::uint32_t first = packing.placement.at(item.slot).location;
    for (std::uint32_t i = 0; i < item.locations; ++i) locations.insert(first + i);
  }
  size.locations = static_cast<std::uint32_t>(locations.size());
  size.highest_location = locations.empty() ? 0 : *locations.rbegin() + 1;
  return size;
}

// With all the fuel there is, so that a question costs none.
link::LinkOptions with_all_fuel(link::LinkOptions options) {
  options.fuel.reset();
  return options;
}

// Says what it costs that each location holds one variable.
void remark_cost_of_portable(link::Link& link, const std::map<Slot, Varying>& all, const Separation& separation,
                             const std::vector<PlacementItem>& items, const Packing& packing,
                             const link::LinkOptions& options) {
  if (!options.portable) return;
  link::LinkOptions shared = with_all_fuel(options);
  shared.portable = false;
  PassContext context(shared);
  const Packing other = choose_packing(link, all, separation, items, {}, context);
  const link::VaryingIndices declared(link);
  const std::uint32_t now = size_of(declared.producers, items, packing).locations,
                      then = size_of(declared.producers, items, other).locations;
  if (now <= then) return;
  link.remarks.push_back({"assign-locations", link.report.stage_pair(),
                          "one variable in each location: " + std::to_string(now) + " locations, which are " +
                              std::to_string(then) + " without --portable"});
}

// The variable, or a member of its structure, has the decoration.
bool has_component(const LinkedStage& stage, const Varying& varying) {
  const spirv::Module& module = stage.module;
  const spirv::Id type = spirv::pointee_type(module, module.type_of(varying.variable));
  const spirv::Id structure = spirv::type_without_arrays(module, type);
  return std::any_of(module.annotations.begin(), module.annotations.end(), [&](spirv::InstRef inst) {
    const bool on_member = module[inst].op == spv::Op::OpMemberDecorate;
    if (!on_member && module[inst].op != spv::Op::OpDecorate) return false;
    return module.operand(inst, 0).word == (on_member ? structure : varying.variable) &&
           module.operand(inst, on_member ? 2 : 1).word == static_cast<std::uint32_t>(spv::Decoration::Component);
  });
}

// Says where --portable does not hold: varyings that may not be declared anew keep their components.
void remark_kept_components(link::Link& link, const std::vector<PlacementItem>& items,
                            const link::LinkOptions& options) {
  if (!options.portable) return;
  const auto remark_of = [&](const std::vector<LinkedStage*>& stages, std::vector<Varying> LinkedStage::*list,
                             Slot slot) {
    for (const LinkedStage* stage : stages) {
      const Varying* varying = find_varying(stage->*list, slot);
      if (!varying || varying->form == Varying::Form::scalar || !has_component(*stage, *varying)) continue;
      link.remarks.push_back({"assign-locations", std::string(short_name(stage->stage)),
                              varying->name + " keeps a Component decoration: " + varying->kept_because});
    }
  };
  for (const PlacementItem& item : items) {
    if (item.form != Varying::Form::fixed && !item.structure) continue;
    remark_of(link.producers, &LinkedStage::outputs, item.slot);
    remark_of(link.consumers, &LinkedStage::inputs, item.slot);
  }
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

// The items once pairs are sent as integers.
void join_pairs(const std::vector<Pair>& pairs, bool interpolates, std::vector<PlacementItem>& items) {
  for (const Pair& pair : pairs) {
    if (pair.parts.size() == 2)
      std::erase_if(items, [&](const PlacementItem& item) { return item.slot == pair.parts.back(); });
    for (PlacementItem& item : items) {
      if (item.slot != pair.slot) continue;
      item.kind = varyings::ScalarKind::uint;
      item.key.width = 32;
      item.key.interpolation.flat = interpolates;
      item.relaxed = false;
    }
  }
}

PackedSize size_with(const link::Link& link, const link::LinkOptions& options, const std::vector<Pair>& pairs) {
  const link::LinkOptions unlimited = with_all_fuel(options);
  PassContext context(unlimited);
  std::map<Slot, Varying> all = all_varyings(link);
  for (const auto& [slot, shape] : dense_shapes(link, unlimited)) {
    all.at(slot).location_count = shape.rows;
    all.at(slot).columns = shape.columns;
  }
  std::vector<PlacementItem> items = placement_items(link, all);
  join_pairs(pairs, link.consumer_interpolates(), items);
  const std::vector<PlacementVector> vectors =
      divides_vectors(unlimited) ? std::vector<PlacementVector>{} : read_vectors(link);
  const Packing packing = choose_packing(link, all, Separation(link), items, vectors, context);
  const link::VaryingIndices declared(link);
  return {size_of(declared.producers, items, packing), size_of(declared.consumers, items, packing)};
}

// A location has one width, so that fewer components may take more locations.
bool is_smaller(const link::InterfaceSize& after, const link::InterfaceSize& before) {
  return after.components < before.components && !link::is_larger(after, before);
}

}  // namespace

Result<Progress> assign_locations(link::Link& link, PassContext& context) {
  const std::map<Slot, Varying> all = all_varyings(link);
  const Separation separation(link);
  const std::vector<PlacementItem> items = placement_items(link, all);
  const Packing packing = choose_packing(link, all, separation, items, read_vectors(link), context);
  remark_cost_of_portable(link, all, separation, items, packing, context.options());
  remark_kept_components(link, items, context.options());
  if (context.options().portable && came_with_components(link, items)) link.unrecorded_change = true;
  link.packed = packed_variables(all, separation, packing);
  link.placement = packing.placement;
  for (const auto& [old_slot, varying] : all) {
    // A narrowed array may have lost the component at its own slot.
    const auto record = link.record(varying.slots.empty() ? old_slot : varying.slots.front());
    const Slot place = packing.placement.at(old_slot);
    if (record && record->outcome == link::Outcome::moved) record->new_slot = place;
    if (!record || record->outcome != link::Outcome::kept) continue;
    std::string reason = reason_to_stay(link, varying, *record);
    const auto chosen = packing.interpolation.find(old_slot);
    if (chosen != packing.interpolation.end())
      reason += "; equal at all vertices, so it is sent " + text(chosen->second);
    link.record_outcome(varying, link::Outcome::kept, reason, place);
  }
  return Progress::none;
}

std::vector<Pair> pairs_that_pay(const link::Link& link, const link::LinkOptions& options) {
  if (!is_chosen(options, "pack-16-bit-pairs")) return {};
  const std::vector<Pair> pairs = pairs_of_16_bits(link);
  if (pairs.empty()) return {};
  const link::InterfaceSize alone = size_with(link, options, {}).written,
                            paired = size_with(link, options, pairs).written;
  return is_smaller(paired, alone) ? pairs : std::vector<Pair>{};
}

PackedSize packed_size(const link::Link& link, const link::LinkOptions& options) {
  return size_with(link, options, pairs_that_pay(link, options));
}

}  // namespace varylink::passes
