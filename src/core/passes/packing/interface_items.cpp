#include "passes/packing/interface_items.h"

#include <algorithm>
#include <set>

#include "base/seeded_fault.h"
#include "link/model/varying_index.h"
#include "link/values/interpolated_reads.h"
#include "link/values/producer_values.h"
#include "spirv/ir/globals.h"

namespace varylink::passes {

using link::find_varying;
using link::LinkedStage;
using varyings::Slot;
using varyings::Varying;

std::map<Slot, Varying> all_varyings(const link::Link& link) {
  std::map<Slot, Varying> all;
  const auto add = [&](const std::vector<Varying>& varyings) {
    for (const Varying& varying : varyings) {
      if (varying.proxy) continue;
      const auto [entry, is_new] = all.try_emplace(varying.slot, varying);
      if (!is_new) {
        Varying& known = entry->second;
        known.relaxed_precision = known.relaxed_precision && varying.relaxed_precision;
        known.captured = known.captured || varying.captured;
        if (known.semantic.empty()) known.semantic = varying.semantic;
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

namespace {

using TypeQuestion = bool (*)(const spirv::Module& module, spirv::Id type);

// A scalar or vector, or an array of them.
bool is_of_vectors(const spirv::Module& module, spirv::Id type) {
  return spirv::is_scalar_or_vector(module, spirv::type_without_arrays(module, type));
}

bool is_array_of_vectors(const spirv::Module& module, spirv::Id type) {
  return module.def_op(type) == spv::Op::OpTypeArray && is_of_vectors(module, type);
}

// Declarations of the variables on both sides.
class Declarations {
 public:
  explicit Declarations(const link::Link& link) : link_(link), indices_(link) {}

  bool is_read(Slot slot) const { return is_in(indices_.consumers, slot); }
  bool is_written(Slot slot) const { return is_in(indices_.producers, slot); }
  bool is_everywhere(Slot slot, TypeQuestion is) const {
    return holds(link_.consumers, indices_.consumers, slot, is) && holds(link_.producers, indices_.producers, slot, is);
  }

 private:
  static bool is_in(const std::vector<link::VaryingIndex>& side, Slot slot) {
    return std::any_of(side.begin(), side.end(), [&](const link::VaryingIndex& stage) { return stage.find(slot); });
  }
  static bool holds(const std::vector<LinkedStage*>& stages, const std::vector<link::VaryingIndex>& side, Slot slot,
                    TypeQuestion is) {
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const Varying* varying = side[i].find(slot);
      const spirv::Module& module = stages[i]->module;
      if (varying && !is(module, spirv::pointee_type(module, module.type_of(varying->variable)))) return false;
    }
    return true;
  }

  const link::Link& link_;
  const link::VaryingIndices indices_;
};

// Components that each location of an array needs from the first one on; all of them if the locations differ.
std::uint32_t occupied_by(const Declarations& declared, const Varying& varying) {
  if (varying.columns != 0) return varying.columns;
  std::map<std::uint32_t, std::uint32_t> used;
  for (const Slot slot : varying.slots) ++used[slot.location];
  const auto differs = [&](const auto& entry) { return entry.second != used.begin()->second; };
  if (varying.form != Varying::Form::unsplit || used.empty() ||
      !declared.is_everywhere(varying.slot, is_array_of_vectors) || std::any_of(used.begin(), used.end(), differs))
    return 4;
  return used.begin()->second;
}

// Only what is interpolated can gain by that, and only if there are several classes to choose from.
bool has_choice_of_interpolation(const link::Link& link, const std::vector<PlacementItem>& items) {
  return link.consumer_interpolates() && std::any_of(items.begin(), items.end(), [&](const PlacementItem& item) {
           return item.key.interpolation != items.front().key.interpolation;
         });
}

// Marks values that no producer makes different at the vertices of one primitive. Values stored per primitive never
// differ there.
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

}  // namespace

std::vector<PlacementItem> placement_items(const link::Link& link, const std::map<Slot, Varying>& all) {
  std::vector<PlacementItem> items;
  const Declarations declared(link);
  std::set<Slot> moved;
  for (const link::ComponentRecord& record : link.report.components)
    if (record.outcome == link::Outcome::moved) moved.insert(record.old_slot);
  for (const auto& [slot, varying] : all) {
    PlacementItem item;
    item.slot = slot;
    item.moved = moved.count(slot) != 0;
    // An input that nothing writes stays where it is, so that it takes no place from what is written.
    item.form = declared.is_written(slot) ? varying.form : Varying::Form::fixed;
    item.kind = varying.scalar.kind;
    item.components = varying.component_count;
    item.locations = varying.location_count;
    item.relaxed = varying.relaxed_precision;
    item.unread = !declared.is_read(slot);
    item.occupied = occupied_by(declared, varying);
    item.structure = varying.form == Varying::Form::unsplit && !declared.is_everywhere(slot, is_of_vectors);
    // Unread varyings are not interpolated either, whatever their declaration says (rule ).
    if (link.consumer_interpolates() && !item.unread) item.key.interpolation = varying.interpolation;
    item.key.patch = varying.patch;
    item.key.per_primitive = varying.per_primitive;
    if (seeded_fault("pack-mixes-interpolation")) item.key.interpolation = {};
    item.captured = item.key.only_captured = varying.captured;
    item.key.stream = varying.stream;
    item.key.width = varying.scalar.width;
    items.push_back(item);
  }
  mark_convergent(link, all, items);
  return items;
}

}  // namespace varylink::passes
