#include "passes/remove_dead_varyings.h"

#include <algorithm>
#include <set>

#include "base/seeded_fault.h"
#include "link/values/slot_values.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using link::LinkedStage;
using varyings::Slot;
using varyings::Varying;

// A slot of one stage, by the stage's position in its list.
using Place = std::pair<Slot, std::size_t>;

struct DeadPlan {
  std::vector<Place> unread_inputs;      // consumers drop them
  std::vector<Place> unwritten_inputs;   // consumers read zero
  std::vector<Place> removable_outputs;  // producers drop them once no consumer paired with them declares them any more
};

bool is_accessed(const LinkedStage& stage, const spirv::Uses& uses, const Varying& varying) {
  const varyings::VariableAccesses accesses = varyings::accesses_of(stage.module, uses, varying.variable);
  return accesses.obstacle.has_value() || !accesses.accesses.empty();
}

// Slots that the code of a consumer reads.
std::set<Slot> read_slots(const LinkedStage& consumer) {
  std::set<Slot> read;
  const spirv::Uses uses(consumer.module);
  for (const Varying& input : consumer.inputs)
    if (input.form == Varying::Form::fixed || is_accessed(consumer, uses, input)) read.insert(input.slot);
  return read;
}

// What the producers do with their outputs.
class Producers {
 public:
  explicit Producers(const link::Link& link) : link_(link), shared_unsplit_(link.producers.size()) {
    for (std::size_t i = 0; i < link.producers.size(); ++i) {
      tables_.emplace_back(*link.producers[i]);
      if (link.producers[i]->stage == Stage::tess_control) find_shared_unsplit(i);
    }
  }

  // Some invocation reads what it or another one stored, so that the output is memory as well as a varying
  // (rule ). Outside of tessellation control only the invocation itself can, and private memory serves it as well
  // (rule ).
  bool read_back(std::size_t producer, Slot slot) const {
    if (shared_unsplit_[producer].count(slot) != 0) return true;
    const link::SlotStores* stores = tables_[producer].find(slot);
    return stores && stores->read_back;
  }

  // None of the producers paired with `consumer` declares the slot or stores anything defined to it. Only scalar
  // outputs are judged.
  bool never_written(std::size_t consumer, Slot slot) const {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const Varying* output = link_.are_pair(i, consumer) ? find_varying(link_.producers[i]->outputs, slot) : nullptr;
      if (!output) continue;
      if (output->form != Varying::Form::scalar) return false;
      for (const link::SlotStore& store : tables_[i].find(slot)->stores)
        if (store.value.kind != link::ScalarValue::Kind::undefined) return false;
    }
    return true;
  }

 private:
  void find_shared_unsplit(std::size_t index) {
    const LinkedStage& producer = *link_.producers[index];
    const spirv::Uses uses(producer.module);
    for (const Varying& output : producer.outputs) {
      if (output.form != Varying::Form::unsplit) continue;
      const varyings::VariableAccesses accesses = varyings::accesses_of(producer.module, uses, output.variable);
      const bool loaded = std::any_of(accesses.accesses.begin(), accesses.accesses.end(), [](const auto& access) {
        return access.kind == varyings::PointerAccess::Kind::load;
      });
      if (loaded) shared_unsplit_[index].insert(output.slot);
    }
  }

  const link::Link& link_;
  std::vector<link::StoreTable> tables_;
  std::vector<std::set<Slot>> shared_unsplit_;  // by producer: outputs that stay variables and are read back
};

DeadPlan plan_dead(const link::Link& link) {
  DeadPlan plan;
  const Producers producers(link);
  for (std::size_t i = 0; i < link.consumers.size(); ++i) {
    const std::set<Slot> read = read_slots(*link.consumers[i]);
    for (const Varying& input : link.consumers[i]->inputs) {
      if (input.form == Varying::Form::fixed) continue;
      if (read.count(input.slot) == 0)
        plan.unread_inputs.emplace_back(input.slot, i);
      else if (producers.never_written(i, input.slot))
        plan.unwritten_inputs.emplace_back(input.slot, i);
    }
  }
  for (std::size_t i = 0; i < link.producers.size(); ++i)
    for (const Varying& output : link.producers[i]->outputs)
      if (output.form != Varying::Form::fixed && !output.captured && !producers.read_back(i, output.slot))
        plan.removable_outputs.emplace_back(output.slot, i);
  for (auto* list : {&plan.unread_inputs, &plan.unwritten_inputs, &plan.removable_outputs})
    std::sort(list->begin(), list->end());
  return plan;
}

bool keeps_sample_shading(link::Link& link, const Place& place) {
  if (!is_last_sample_input(*link.consumers[place.second], place.first)) return false;
  if (auto* record = link.record(place.first)) record->reason = "the last input that is interpolated per sample";
  return true;
}

void drop_input(link::Link& link, const Place& place) {
  link.unrecorded_change = link.unrecorded_change || !link.record(place.first);
  remove_input(*link.consumers[place.second], place.first);
}

const std::string& writer_name(const link::Link& link, std::size_t consumer) {
  for (std::size_t i = 0; i < link.producers.size(); ++i)
    if (link.are_pair(i, consumer)) return link.producers[i]->file;
  return link.producers.front()->file;
}

// A scalar that no producer ever stores may read as anything; zero reads the same everywhere.
void read_as_zero(link::Link& link, const Place& place) {
  const auto& [slot, index] = place;
  link.unrecorded_change = link.unrecorded_change || !link.record(slot);
  LinkedStage& consumer = *link.consumers[index];
  const std::string where = text(link.declared(slot));
  Diagnostic warning = make_warning(consumer.file, "location " + where + " is read but never written by " +
                                                       writer_name(link, index) + "; it reads as zero");
  warning.location = where;
  link.warnings.push_back(std::move(warning));
  const std::size_t words = find_varying(consumer.inputs, slot)->scalar.width == 64 ? 2 : 1;
  replace_input(consumer, slot, std::vector<std::uint32_t>(words, 0));
}

bool is_declared_by_reader(const link::Link& link, const Place& output) {
  for (std::size_t i = 0; i < link.consumers.size(); ++i)
    if (link.are_pair(output.second, i) && find_varying(link.consumers[i]->inputs, output.first)) return true;
  return false;
}

void drop_output(link::Link& link, const Place& place, bool unwritten) {
  const auto& [slot, index] = place;
  const Varying* output = find_varying(link.producers[index]->outputs, slot);
  const bool stays_elsewhere =
      std::any_of(link.producers.begin(), link.producers.end(), [&, slot = slot](const LinkedStage* producer) {
        return producer != link.producers[place.second] && find_varying(producer->outputs, slot);
      });
  if (!stays_elsewhere)
    link.record_fate(*output, link::Fate::dead, unwritten ? "never written; it reads as zero" : "nobody reads it");
  remove_output(*link.producers[index], slot);
}

}  // namespace

Result<Progress> remove_dead_varyings(link::Link& link, PassContext& context) {
  Progress progress = Progress::none;
  const DeadPlan plan = plan_dead(link);
  std::set<Slot> unwritten;
  for (const Place& place : plan.unread_inputs) {
    if (keeps_sample_shading(link, place) || !context.spend_fuel()) continue;
    drop_input(link, place);
    progress = progress | Progress::consumer;
  }
  for (const Place& place : plan.unwritten_inputs) {
    if (keeps_sample_shading(link, place) || !context.spend_fuel()) continue;
    read_as_zero(link, place);
    unwritten.insert(place.first);
    progress = progress | Progress::consumer;
  }
  for (const Place& place : plan.removable_outputs) {
    if (is_declared_by_reader(link, place) && !seeded_fault("dead-output-of-a-declared-input")) continue;
    if (!context.spend_fuel()) continue;
    drop_output(link, place, unwritten.count(place.first) != 0);
    progress = progress | Progress::producer;
  }
  return progress;
}

}  // namespace varylink::passes
