#include "driver/interface_records.h"

#include <algorithm>
#include <map>
#include <set>

namespace varylink::driver {
namespace {

using link::ComponentRecord;
using link::Link;
using link::LinkedStage;

std::string component_name(const varyings::Leaf& leaf, std::uint32_t component) {
  if (leaf.count == 1 || leaf.name.empty()) return leaf.name;
  return leaf.name + "." + "xyzw"[component & 3];
}

// Calls visit(slot, leaf, component of the leaf) for every 32-bit component.
template <typename Visit>
void each_slot(const LinkedStage& stage, varyings::Direction direction, Visit visit) {
  for (const varyings::InterfaceVariable& variable :
       varyings::interface_variables(stage.module, stage.entry, direction))
    for (const varyings::Leaf& leaf : variable.leaves)
      for (std::uint32_t c = 0; c < leaf.count; ++c)
        for (std::uint32_t half = 0; half < leaf.slots_per_component(); ++half) {
          varyings::Slot slot = leaf.slot_of(c);
          slot.component += half;
          visit(slot, leaf, c);
        }
}

using Records = std::map<varyings::Slot, ComponentRecord>;

void add_outputs(Records& records, const LinkedStage& producer) {
  each_slot(producer, varyings::Direction::output,
            [&](varyings::Slot slot, const varyings::Leaf& leaf, std::uint32_t c) {
              ComponentRecord record;
              record.old_slot = record.new_slot.emplace(slot);
              record.producer_name = component_name(leaf, c);
              record.type = text(leaf.scalar);
              record.patch = leaf.patch;
              records.emplace(slot, std::move(record));
            });
}

void name_inputs(Records& records, const LinkedStage& consumer) {
  each_slot(consumer, varyings::Direction::input,
            [&](varyings::Slot slot, const varyings::Leaf& leaf, std::uint32_t c) {
              const auto found = records.find(slot);
              if (found == records.end() || !found->second.consumer_name.empty()) return;
              found->second.consumer_name = component_name(leaf, c);
              if (consumer.stage == Stage::fragment) found->second.interpolation = text(leaf.interpolation);
            });
}

std::vector<ComponentRecord> list_of(Records&& records) {
  std::vector<ComponentRecord> list;
  for (auto& [slot, record] : records) list.push_back(std::move(record));
  return list;
}

bool takes(const std::vector<varyings::Varying>& varyings, varyings::Slot slot) {
  return std::any_of(varyings.begin(), varyings.end(), [&](const varyings::Varying& varying) {
    return std::find(varying.slots.begin(), varying.slots.end(), slot) != varying.slots.end();
  });
}

}  // namespace

link::InterfaceSize size_of_outputs(const spirv::Module& module, const varyings::Entry& entry) {
  link::InterfaceSize size;
  std::set<std::uint32_t> locations;
  for (const varyings::InterfaceVariable& variable :
       varyings::interface_variables(module, entry, varyings::Direction::output)) {
    if (variable.unsupported) {
      locations.insert(variable.location);
      ++size.not_counted;
    }
    for (const varyings::Leaf& leaf : variable.leaves) {
      size.components += leaf.count * leaf.slots_per_component();
      for (std::uint32_t c = 0; c < leaf.count; ++c) locations.insert(leaf.slot_of(c).location);
    }
  }
  size.locations = static_cast<std::uint32_t>(locations.size());
  size.highest_location = locations.empty() ? 0 : *locations.rbegin() + 1;
  return size;
}

std::vector<ComponentRecord> records_of(const LinkedStage& producer, const LinkedStage* consumer) {
  Records records;
  add_outputs(records, producer);
  if (consumer) name_inputs(records, *consumer);
  return list_of(std::move(records));
}

std::vector<ComponentRecord> records_of(const Link& link) {
  Records records;
  for (const LinkedStage* producer : link.producers) add_outputs(records, *producer);
  for (const LinkedStage* consumer : link.consumers) name_inputs(records, *consumer);
  return list_of(std::move(records));
}

FirstReaders first_readers(const Link& link) {
  FirstReaders readers;
  if (!link.is_shared()) return readers;
  for (const auto& [producer, consumer] : link.pairs)
    for (const varyings::Varying& input : link.consumers[consumer]->inputs)
      for (const varyings::Slot slot : input.slots) readers.try_emplace({producer, slot}, link.consumers[consumer]);
  return readers;
}

void fill_pair_records(std::vector<ComponentRecord>& records, const Link& link, const FirstReaders& readers,
                       std::size_t producer, const LinkedStage* consumer) {
  std::map<varyings::Slot, const ComponentRecord*> shared;
  for (const ComponentRecord& record : link.report.components) shared.emplace(record.old_slot, &record);
  for (ComponentRecord& record : records) {
    const auto found = shared.find(record.old_slot);
    if (found == shared.end()) continue;
    const ComponentRecord& all = *found->second;
    record.outcome = all.outcome;
    record.reason = all.reason;
    record.new_slot = all.new_slot;
    if (all.outcome != link::Outcome::kept) continue;
    if (!takes(link.producers[producer]->outputs, record.old_slot)) {
      record.outcome = link::Outcome::dead;
      record.reason = "no shader that is used with this one reads it";
      record.new_slot.reset();
    } else if (!consumer || !takes(consumer->inputs, record.old_slot)) {
      if (const auto reader = readers.find({producer, record.old_slot}); reader != readers.end()) {
        Message reason = reader->second->file + ", which is used with the same shader, reads it";
        record.reason = std::move(reason.text);
        record.mentions = std::move(reason.mentions);
      }
    }
  }
}

DeclaredSlots declared_slots(const Link& link) {
  DeclaredSlots declared;
  const auto add = [&](const std::vector<varyings::Varying>& varyings) {
    std::set<varyings::Slot>& slots = declared.emplace_back();
    for (const varyings::Varying& varying : varyings) slots.insert(varying.slots.begin(), varying.slots.end());
    // A stage that has one component of a packed variable declares all of them.
    for (const varyings::PackedVariable& packed : link.packed)
      if (std::any_of(packed.members.begin(), packed.members.end(),
                      [&](varyings::Slot member) { return link::find_varying(varyings, member) != nullptr; }))
        slots.insert(packed.members.begin(), packed.members.end());
  };
  for (const LinkedStage* producer : link.producers) add(producer->outputs);
  for (const LinkedStage* consumer : link.consumers) add(consumer->inputs);
  return declared;
}

}  // namespace varylink::driver
