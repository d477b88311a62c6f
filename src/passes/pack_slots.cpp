#include "passes/pack_slots.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/seeded_fault.h"
#include "link/values/interpolated_reads.h"
#include "link/values/producer_values.h"
#include "link/values/read_together.h"
#include "link/values/slot_values.h"
#include "passes/packing/array_columns.h"
#include "passes/packing/interpolation_choice.h"
#include "passes/packing/placement.h"
#include "spirv/ir/globals.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using link::LinkedStage;
using varyings::Slot;
using varyings::Varying;

// Every varying of the interface once: the consumer's description where it has one (its qualifiers count, rule ),
// else the producer's.
std::map<Slot, Varying> all_varyings(const link::Link& link) {
  std::map<Slot, Varying> all;
  const auto add = [&](const std::vector<Varying>& varyings) {
    for (const Varying& varying : varyings) {
      if (varying.stand_in) continue;
      const auto [entry, is_new] = all.try_emplace(varying.slot, varying);
      if (!is_new) {
        Varying& known = entry->second;
        known.relaxed_precision = known.relaxed_precision && varying.relaxed_precision;
        known.captured = known.captured || varying.captured;
        known.stream = std::max(known.stream, varying.stream);
        known.location_count = std::max(known.location_count, varying.location_count);
      }
    }
  };
  for (const LinkedStage* consumer : link.consumers) add(consumer->inputs);
  for (const LinkedStage* producer : link.producers) add(producer->outputs);
  return all;
}

bool is_read(const link::Link& link, Slot slot) {
  return std::any_of(link.consumers.begin(), link.consumers.end(),
                     [&](const LinkedStage* consumer) { return find_varying(consumer->inputs, slot) != nullptr; });
}

bool is_written(const link::Link& link, Slot slot) {
  return std::any_of(link.producers.begin(), link.producers.end(),
                     [&](const LinkedStage* producer) { return find_varying(producer->outputs, slot) != nullptr; });
}

bool is_array_of_vectors(const LinkedStage& stage, const Varying& varying) {
  const spirv::Module& module = stage.module;
  spirv::Id type = spirv::pointee_type(module, module.type_of(varying.variable));
  if (module.def_op(type) != spv::Op::OpTypeArray) return false;
  while (module.def_op(type) == spv::Op::OpTypeArray) type = spirv::element_type(module, type);
  return spirv::is_scalar_or_vector(module, type);
}

bool is_array_of_vectors(const link::Link& link, Slot slot) {
  const auto holds = [&](const LinkedStage* stage, const std::vector<Varying>& varyings) {
    const Varying* varying = find_varying(varyings, slot);
    return !varying || is_array_of_vectors(*stage, *varying);
  };
  return std::all_of(link.consumers.begin(), link.consumers.end(),
                     [&](const LinkedStage* stage) { return holds(stage, stage->inputs); }) &&
         std::all_of(link.producers.begin(), link.producers.end(),
                     [&](const LinkedStage* stage) { return holds(stage, stage->outputs); });
}

// Components that each location of an array needs from the first one on; all of them if the locations differ.
std::uint32_t occupied_by(const link::Link& link, const Varying& varying) {
  if (varying.columns != 0) return varying.columns;
  std::map<std::uint32_t, std::uint32_t> used;
  for (const Slot slot : varying.slots) ++used[slot.location];
  const auto differs = [&](const auto& entry) { return entry.second != used.begin()->second; };
  if (varying.form != Varying::Form::unsplit || used.empty() || !is_array_of_vectors(link, varying.slot) ||
      std::any_of(used.begin(), used.end(), differs))
    return 4;
  return used.begin()->second;
}

// Only what is interpolated can gain by that, and only if there are several classes to choose from.
bool has_choice_of_interpolation(const link::Link& link, const std::vector<PlacementItem>& items) {
  return link.consumer_interpolates() && std::any_of(items.begin(), items.end(), [&](const PlacementItem& item) {
           return item.key.interpolation != items.front().key.interpolation;
         });
}

// Marks values that no producer makes different at the vertices of one primitive. What is stored per primitive cannot
// be.
void mark_convergent(const link::Link& link, const std::map<Slot, Varying>& all, std::vector<PlacementItem>& items) {
  if (!has_choice_of_interpolation(link, items)) return;
  const std::set<Slot> at_offset = link::slots_read_at_offset(link);
  for (PlacementItem& item : items)
    item.convergent = !item.unread && at_offset.count(item.slot) == 0 &&
                      all.at(item.slot).scalar == varyings::ScalarType{varyings::ScalarKind::floating, 32};
  for (const LinkedStage* producer : link.producers) {
    graph::ValueGraph graph;
    link::ProducerValues values(*producer, graph);
    for (PlacementItem& item : items) {
      if (!item.convergent || item.key.per_primitive || !find_varying(producer->outputs, item.slot)) continue;
      const auto value = values.value(item.slot);
      item.convergent = value && values.is_convergent(*value);
    }
  }
}

bool is_whole_vector(const PlacementItem& item) { return item.form == Varying::Form::unsplit && item.locations == 1; }

// A vector that stays unsplit keeps its type, so that only components of this type may join it (rule ).
void separate_types(const std::map<Slot, Varying>& all, std::vector<PlacementItem>& items) {
  std::set<PackKey> keys;
  for (const PlacementItem& item : items)
    if (is_whole_vector(item)) keys.insert(item.key);
  for (PlacementItem& item : items)
    if (keys.count(item.key) != 0) item.group = 1 + static_cast<std::uint32_t>(all.at(item.slot).scalar.kind);
}

std::vector<PlacementItem> items_of(const link::Link& link, const std::map<Slot, Varying>& all) {
  std::vector<PlacementItem> items;
  for (const auto& [slot, varying] : all) {
    PlacementItem item;
    item.slot = slot;
    // An input that nothing writes stays where it is, so that it takes no place from what is written.
    item.form = is_written(link, slot) ? varying.form : Varying::Form::fixed;
    item.components = varying.component_count;
    item.locations = varying.location_count;
    item.relaxed = varying.relaxed_precision;
    item.unread = !is_read(link, slot);
    item.occupied = occupied_by(link, varying);
    // What nobody reads is not interpolated either, whatever its declaration says (rule ).
    if (link.consumer_interpolates() && !item.unread) item.key.interpolation = varying.interpolation;
    item.key.patch = varying.patch;
    item.key.per_primitive = varying.per_primitive;
    if (seeded_fault("pack-mixes-interpolation")) item.key.interpolation = {};
    item.key.captured = varying.captured;
    item.key.stream = varying.stream;
    item.key.width = varying.scalar.width;
    items.push_back(item);
  }
  mark_convergent(link, all, items);
  separate_types(all, items);
  return items;
}

// "uv" for uv.x and uv.y; "uv_fog" for components of two variables; shortened where there are many.
std::string joined_name(const std::vector<const Varying*>& members) {
  std::string name, last;
  for (const Varying* member : members) {
    std::string base = member->name.substr(0, member->name.rfind('.'));
    for (char& c : base)
      if (c == '.' || c == '[' || c == ']') c = '_';
    if (base.empty() || base == last || name.size() > 40) continue;
    name += (name.empty() ? "" : "_") + base;
    last = base;
  }
  return name;
}

// The producers that have the slot, as positions in the list. Components that not the same producers have may not share
// a variable: some producer would declare more than it has.
std::vector<std::size_t> owners_of(const link::Link& link, Slot slot) {
  std::vector<std::size_t> owners;
  for (std::size_t i = 0; i < link.producers.size(); ++i)
    if (find_varying(link.producers[i]->outputs, slot)) owners.push_back(i);
  return owners;
}

// For each patch varying the blocks of its stores, as (producer, function, block). Any invocation of a patch may write
// its patch outputs. Two of them may be written by two invocations at once, which is safe for two variables but not for
// two components of one vector (rule ), unless the same invocation stores both.
using StoreBlocks = std::map<Slot, std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>>>;

StoreBlocks store_blocks(const link::Link& link, const std::map<Slot, Varying>& all) {
  StoreBlocks blocks;
  for (const auto& [slot, varying] : all)
    if (varying.patch) blocks[slot];
  if (blocks.empty()) return blocks;
  for (std::size_t i = 0; i < link.producers.size(); ++i) {
    const link::StoreTable table(*link.producers[i]);
    const std::vector<spirv::Place> places = spirv::places_of(link.producers[i]->module);
    for (auto& [slot, list] : blocks)
      if (const link::SlotStores* stores = table.find(slot))
        for (const link::SlotStore& store : stores->stores) {
          const spirv::Place& place = places[store.inst.index];
          list.emplace_back(i, place.function, place.block);
        }
  }
  return blocks;
}

// What keeps two components from being parts of one variable, besides what PackKey says.
class Separation {
 public:
  Separation(const link::Link& link, const std::map<Slot, Varying>& all)
      : link_(link), stored_in_(store_blocks(link, all)), interpolated_(link::find_interpolated_reads(link).anywhere) {}

  bool may_join(const Varying& a, const Varying& b) const {
    // An InterpolateAt instruction reads all of its variable, and loads of that cannot be done after it
    // (varyings/lower/lower.cpp).
    if (interpolated_.count(a.slot) != interpolated_.count(b.slot)) return false;
    if (a.patch && stored_in_.at(a.slot) != stored_in_.at(b.slot)) return false;
    return link_.producers.size() == 1 || owners_of(link_, a.slot) == owners_of(link_, b.slot);
  }

  // The items in groups such that every location will hold one variable, which then needs no Component decoration: what
  // GLSL, HLSL and Metal take from spirv-cross. Components of different precision are in different groups if
  // `by_precision`.
  std::vector<PlacementItem> grouped(const std::map<Slot, Varying>& all, std::vector<PlacementItem> items,
                                     bool by_precision) const {
    std::vector<const PlacementItem*> firsts;  // scalars, one of each group
    std::uint32_t groups = 0;
    for (PlacementItem& item : items) {
      const auto found = std::find_if(firsts.begin(), firsts.end(), [&](const PlacementItem* first) {
        return item.form == Varying::Form::scalar && item.key == first->key &&
               (!by_precision || item.relaxed == first->relaxed) && may_join(all.at(item.slot), all.at(first->slot));
      });
      item.group = found != firsts.end() ? (*found)->group : ++groups;
      if (found == firsts.end() && item.form == Varying::Form::scalar) firsts.push_back(&item);
    }
    return items;
  }

 private:
  const link::Link& link_;
  StoreBlocks stored_in_;
  std::set<Slot> interpolated_;
};

// Where everything goes, and what is interpolated in another way than before.
struct Packing {
  std::map<Slot, Slot> placement;
  std::map<Slot, varyings::Interpolation> interpolation;
  std::map<Slot, ArraySeat> seats;  // of scalars that become components of arrays
};

// Where a location has several types, all of it travels as unsigned integers, which keep every bit (rule ): GLSL
// takes one numeric class in a location (rule ). Only data that is not interpolated can be of several types.
class VariableBuilder {
 public:
  VariableBuilder(const std::map<Slot, Varying>& all, const Separation& separation, const Packing& packing)
      : separation_(separation), packing_(packing) {
    for (const auto& [old_slot, varying] : all) {
      if (varying.form != Varying::Form::scalar) continue;
      const Slot place = packing.placement.at(old_slot);
      by_place_.emplace(place, &varying);
      const auto [entry, is_new] = first_in_.emplace(place.location, &varying);
      if (!is_new && entry->second->scalar != varying.scalar) mixed_.insert(place.location);
    }
  }

  // Runs of neighbouring components become one variable each, of full precision unless all are relaxed: two variables
  // are two loads, and GPUs that keep less for relaxed varyings do so by location.
  std::vector<varyings::PackedVariable> run() {
    std::vector<const Varying*> members;
    std::optional<Slot> start, next;
    for (const auto& [place, varying] : by_place_) {
      if (!members.empty() && (place != *next || !separation_.may_join(*varying, *members.front())))
        finish(*start, members);
      if (members.empty()) start = place;
      members.push_back(varying);
      next = Slot{place.location, place.component + varying->component_count};
    }
    if (!members.empty()) finish(*start, members);
    return std::move(packed_);
  }

 private:
  void finish(Slot start, std::vector<const Varying*>& members) {
    varyings::PackedVariable variable;
    variable.slot = start;
    variable.scalar = members.front()->scalar;
    variable.qualifiers = *members.front();
    for (const Varying* member : members)
      if (!member->relaxed_precision) variable.qualifiers.relaxed_precision = false;
    if (mixed_.count(start.location) != 0) {
      variable.scalar.kind = varyings::ScalarKind::uint;
      // Less precision would cut bits off that are not those of a number.
      variable.qualifiers.relaxed_precision = false;
    }
    const auto chosen = packing_.interpolation.find(members.front()->slot);
    if (chosen != packing_.interpolation.end()) variable.qualifiers.interpolation = chosen->second;
    const auto seat = packing_.seats.find(members.front()->slot);
    if (seat != packing_.seats.end()) variable.array = seat->second.array;
    variable.name = joined_name(members);
    for (const Varying* member : members) variable.members.push_back(member->slot);
    packed_.push_back(std::move(variable));
    members.clear();
  }

  const Separation& separation_;
  const Packing& packing_;
  std::map<Slot, const Varying*> by_place_;
  std::map<std::uint32_t, const Varying*> first_in_;  // by location
  std::set<std::uint32_t> mixed_;                     // locations of several types
  std::vector<varyings::PackedVariable> packed_;
};

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

// The items themselves, or, if that saves locations, with other interpolations for what is convergent.
std::vector<PlacementItem> choose_interpolations(const link::Link& link, const std::vector<PlacementItem>& items,
                                                 const PlacementOptions& options) {
  if (std::none_of(items.begin(), items.end(), [](const PlacementItem& item) { return item.convergent; })) return items;
  std::vector<PlacementItem> changed = with_chosen_interpolations(items);
  const std::map<Slot, Slot> placement = place(changed, options);
  const bool pays = is_cheaper(items, placement, place(items, options)) && suits_every_stage(link, changed, placement);
  return pays ? changed : items;
}

// Where everything goes, whether or not that is better than what there is. `apart` are the items in groups of which
// each location holds one.
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
  Packing& packing = trial.packing;
  if (!suits_every_stage(link, trial.items, packing.placement) || !is_better(items, packing.placement, trial.options) ||
      !context.spend_fuel())
    return std::nullopt;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (trial.items[i].key != items[i].key) packing.interpolation[items[i].slot] = trial.items[i].key.interpolation;
  return std::move(packing);
}

Packing choose_packing(const link::Link& link, const std::map<Slot, Varying>& all, const Separation& separation,
                       const std::vector<PlacementItem>& items, const std::vector<PlacementVector>& vectors,
                       PassContext& context) {
  const Grouping by_variable = separation.grouped(all, items, false),
                 by_precision = separation.grouped(all, items, true);
  const bool portable = context.options().portable;
  std::optional<Packing> packing;
  if (portable) packing = better_packing(link, by_variable, {}, vectors, context);
  // Where several variables share a location already, other tools do not take the pipeline anyway.
  if (!portable || (!packing && shares_illegally(by_variable)))
    packing = better_packing(link, items, {by_precision, by_variable}, vectors, context);
  return packing ? *packing : Packing{identity_placement(items), {}, {}};
}

std::vector<PlacementVector> vectors_of(const link::Link& link) {
  std::vector<PlacementVector> vectors;
  for (link::ReadTogether& read : link::find_read_together(link))
    vectors.push_back({std::move(read.slots), read.weight});
  return vectors;
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
  const Packing packing = choose_packing(link, all, separation, items_of(link, all), vectors_of(link), context);
  link.packed = VariableBuilder(all, separation, packing).run();
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
  const std::map<Slot, Varying> all = all_varyings(link);
  const std::vector<PlacementItem> items = items_of(link, all);
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
