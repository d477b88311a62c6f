#include "passes/remove_dead_varyings.h"

#include <algorithm>
#include <map>
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

// Loads and stores of the producers' outputs.
class Producers {
 public:
  explicit Producers(const link::Link& link) : link_(link), unsplit_memory_(link.producers.size()) {
    for (std::size_t i = 0; i < link.producers.size(); ++i) {
      tables_.emplace_back(*link.producers[i]);
      auto& outputs = outputs_.emplace_back();
      for (const Varying& output : link.producers[i]->outputs) outputs.emplace(output.slot, output.form);
      find_unsplit_memory(i);
    }
  }

  // Some invocation reads what it or another one stored, so that the output is memory as well as a varying
  // (rule ). Outside of tessellation control only the invocation itself can, and private memory serves it as well
  // (rule ), unless the module may not have the type there (rule ).
  bool read_back(std::size_t producer, Slot slot) const {
    if (unsplit_memory_[producer].count(slot) != 0) return true;
    const link::SlotStores* stores = tables_[producer].find(slot);
    return stores && stores->read_back;
  }

  // None of the producers paired with `consumer` declares the slot or stores anything defined to it. Only scalar
  // outputs are judged.
  bool never_written(std::size_t consumer, Slot slot) const {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const auto output = outputs_[i].find(slot);
      if (!link_.are_pair(i, consumer) || output == outputs_[i].end()) continue;
      if (output->second != Varying::Form::scalar) return false;
      if (!link::stores_nothing_defined(*tables_[i].find(slot))) return false;
    }
    return true;
  }

 private:
  void find_unsplit_memory(std::size_t index) {
    const LinkedStage& producer = *link_.producers[index];
    const bool is_shared = producer.stage == Stage::tess_control;
    const spirv::Uses uses(producer.module);
    for (const Varying& output : producer.outputs) {
      if (output.form != Varying::Form::unsplit) continue;
      if (!is_shared && !varyings::is_storage_only(producer.module, output.scalar)) continue;
      const varyings::VariableAccesses accesses = varyings::accesses_of(producer.module, uses, output.variable);
      const bool loaded = std::any_of(accesses.accesses.begin(), accesses.accesses.end(), [](const auto& access) {
        return access.kind == varyings::PointerAccess::Kind::load;
      });
      if (loaded) unsplit_memory_[index].insert(output.slot);
    }
  }

  const link::Link& link_;
  std::vector<link::StoreTable> tables_;
  std::vector<std::map<Slot, Varying::Form>> outputs_;  // by producer
  std::vector<std::set<Slot>> unsplit_memory_;          // by producer: outputs that stay variables and are read back
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
      // What a proxy stands for stays anyway, and another input may turn out to have its value (dedup_outputs.cpp).
      if (output.form != Varying::Form::fixed && !output.captured &&
          !link.proxy_at(output.slot, varyings::Proxy::Stands::for_reads_of_captured) &&
          !producers.read_back(i, output.slot))
        plan.removable_outputs.emplace_back(output.slot, i);
  for (auto* list : {&plan.unread_inputs, &plan.unwritten_inputs, &plan.removable_outputs})
    std::sort(list->begin(), list->end());
  return plan;
}

// Which slots each stage of one side has, while some of them go.
class Declared {
 public:
  Declared(const std::vector<LinkedStage*>& stages, std::vector<Varying> LinkedStage::*list) {
    for (const LinkedStage* stage : stages) {
      auto& [slots, per_sample] = stages_.emplace_back();
      for (const Varying& varying : stage->*list) {
        slots.insert(varying.slot);
        if (varying.is_per_sample()) per_sample.insert(varying.slot);
      }
    }
  }

  bool has(const Place& place) const { return stages_[place.second].slots.count(place.first) != 0; }
  // See link::is_last_sample_input.
  bool is_last_per_sample(const Place& place) const {
    const std::set<Slot>& per_sample = stages_[place.second].per_sample;
    return per_sample.size() == 1 && *per_sample.begin() == place.first;
  }
  void remove(const Place& place) {
    stages_[place.second].slots.erase(place.first);
    stages_[place.second].per_sample.erase(place.first);
  }

 private:
  struct Slots {
    std::set<Slot> slots, per_sample;
  };
  std::vector<Slots> stages_;
};

bool keeps_sample_shading(link::Link& link, const Declared& inputs, const Place& place) {
  if (!inputs.is_last_per_sample(place)) return false;
  if (auto* record = link.record(place.first)) record->reason = "the last input that is interpolated per sample";
  return true;
}

// The slots of each stage that go.
using Gone = std::map<std::size_t, std::set<Slot>>;

const FileRef& writer_name(const link::Link& link, std::size_t consumer) {
  for (std::size_t i = 0; i < link.producers.size(); ++i)
    if (link.are_pair(i, consumer)) return link.producers[i]->file;
  return link.producers.front()->file;
}

// A scalar that no producer ever stores may read as anything; zero reads the same everywhere.
void read_as_zero(link::Link& link, const Place& place) {
  const auto& [slot, index] = place;
  link.unrecorded_change = link.unrecorded_change || !link.record(slot);
  LinkedStage& consumer = *link.consumers[index];
  const Varying input = *find_varying(consumer.inputs, slot);
  const std::string where = text(link.declared(slot));
  Diagnostic warning = make_warning(consumer.file, "location " + where + " is read but never written by " +
                                                       writer_name(link, index) + "; it reads as zero");
  warning.location = where;
  if (!input.proxy) link.warnings.push_back(std::move(warning));
  const std::size_t words = input.scalar.width == 64 ? 2 : 1;
  replace_input(consumer, slot, std::vector<std::uint32_t>(words, 0));
}

bool is_declared_by_reader(const link::Link& link, const Declared& inputs, const Place& output) {
  for (std::size_t i = 0; i < link.consumers.size(); ++i)
    if (link.are_pair(output.second, i) && inputs.has({output.first, i})) return true;
  return false;
}

// Records that an output goes.
void record_outcome_of(link::Link& link, const Declared& outputs, const Place& place, const Varying& output,
                       bool unwritten) {
  for (std::size_t i = 0; i < link.producers.size(); ++i)
    if (i != place.second && outputs.has({place.first, i})) return;
  link.record_outcome(output, link::Outcome::dead, unwritten ? "never written; it reads as zero" : "nobody reads it");
}

// Drops inputs that nobody reads and makes those that nobody writes zero. Returns the slots of the latter.
std::set<Slot> remove_dead_inputs(link::Link& link, const DeadPlan& plan, Declared& inputs, PassContext& context,
                                  Progress& progress) {
  Gone gone;
  // From the last one on, so that the one that has to stay for its interpolation begins its location.
  for (auto next = plan.unread_inputs.rbegin(); next != plan.unread_inputs.rend(); ++next) {
    const Place& place = *next;
    if (keeps_sample_shading(link, inputs, place) || !context.spend_fuel()) continue;
    link.unrecorded_change = link.unrecorded_change || !link.record(place.first);
    gone[place.second].insert(place.first);
    inputs.remove(place);
    progress = progress | Progress::consumer;
  }
  for (const auto& [consumer, slots] : gone) remove_inputs(*link.consumers[consumer], slots);
  std::set<Slot> unwritten;
  for (const Place& place : plan.unwritten_inputs) {
    if (keeps_sample_shading(link, inputs, place) || !context.spend_fuel()) continue;
    read_as_zero(link, place);
    inputs.remove(place);
    unwritten.insert(place.first);
    progress = progress | Progress::consumer;
  }
  return unwritten;
}

}  // namespace

Result<Progress> remove_dead_varyings(link::Link& link, PassContext& context) {
  Progress progress = Progress::none;
  const DeadPlan plan = plan_dead(link);
  Declared inputs(link.consumers, &LinkedStage::inputs), outputs(link.producers, &LinkedStage::outputs);
  const std::set<Slot> unwritten = remove_dead_inputs(link, plan, inputs, context, progress);
  std::vector<std::map<Slot, const Varying*>> varyings(link.producers.size());
  for (std::size_t i = 0; i < link.producers.size(); ++i)
    for (const Varying& output : link.producers[i]->outputs) varyings[i].emplace(output.slot, &output);
  Gone gone;
  for (const Place& place : plan.removable_outputs) {
    if (is_declared_by_reader(link, inputs, place) && !seeded_fault("dead-output-of-a-declared-input")) continue;
    if (!context.spend_fuel()) continue;
    record_outcome_of(link, outputs, place, *varyings[place.second].at(place.first), unwritten.count(place.first) != 0);
    gone[place.second].insert(place.first);
    outputs.remove(place);
    progress = progress | Progress::producer;
  }
  for (const auto& [producer, slots] : gone) remove_outputs(*link.producers[producer], slots);
  return progress;
}

}  // namespace varylink::passes
