#include "passes/remove_dead_varyings.h"

#include <algorithm>
#include <set>

#include "base/seeded_fault.h"
#include "io/pointer_access.h"
#include "link/slot_values.h"

namespace varylink::passes {
namespace {

using io::Slot;
using io::Varying;
using link::find_varying;
using link::LinkedStage;

struct Plan {
  std::vector<Slot> unread_inputs;     // consumers drop them
  std::vector<Slot> unread_outputs;    // producers drop them, after the inputs
  std::vector<Slot> unwritten_inputs;  // consumers read zero
};

bool is_accessed(const LinkedStage& stage, const spirv::Uses& uses, const Varying& varying) {
  const io::VariableAccesses accesses = io::accesses_of(stage.module, uses, varying.variable);
  return accesses.obstacle.has_value() || !accesses.accesses.empty();
}

// Slots that code of any consumer reads.
std::set<Slot> read_slots(const link::Link& link) {
  std::set<Slot> read;
  for (const LinkedStage* consumer : link.consumers) {
    const spirv::Uses uses(consumer->module);
    for (const Varying& input : consumer->inputs)
      if (input.form == Varying::Form::fixed || is_accessed(*consumer, uses, input)) read.insert(input.slot);
  }
  return read;
}

// What all producers do with their scalar outputs.
class Producers {
 public:
  explicit Producers(const link::Link& link) : link_(link) {
    for (const LinkedStage* producer : link.producers) {
      tables_.emplace_back(*producer);
      if (producer->stage == Stage::tess_control) find_shared_wholes(*producer);
    }
  }

  // Some invocation reads what it or another one stored, so that the output is memory as well as a varying
  // (rule ). Outside of tessellation control only the invocation itself can, and private memory serves it as well.
  bool read_back(Slot slot) const {
    if (shared_wholes_.count(slot) != 0) return true;
    return std::any_of(tables_.begin(), tables_.end(), [&](const link::StoreTable& table) {
      const link::SlotStores* stores = table.find(slot);
      return stores && stores->read_back;
    });
  }

  // No producer declares the slot, or none stores anything defined to it. Only scalar outputs are judged.
  bool never_written(Slot slot) const {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const Varying* output = find_varying(link_.producers[i]->outputs, slot);
      if (!output) continue;
      if (output->form != Varying::Form::scalar) return false;
      for (const link::SlotStore& store : tables_[i].find(slot)->stores)
        if (store.value.kind != link::ScalarValue::Kind::undefined) return false;
    }
    return true;
  }

  bool captured(Slot slot) const {
    return std::any_of(link_.producers.begin(), link_.producers.end(), [&](const LinkedStage* producer) {
      const Varying* output = find_varying(producer->outputs, slot);
      return output && output->captured;
    });
  }

 private:
  void find_shared_wholes(const LinkedStage& producer) {
    const spirv::Uses uses(producer.module);
    for (const Varying& output : producer.outputs) {
      if (output.form != Varying::Form::whole) continue;
      const io::VariableAccesses accesses = io::accesses_of(producer.module, uses, output.variable);
      const bool loaded = std::any_of(accesses.accesses.begin(), accesses.accesses.end(),
                                      [](const auto& access) { return access.kind == io::PointerAccess::Kind::load; });
      if (loaded) shared_wholes_.insert(output.slot);
    }
  }

  const link::Link& link_;
  std::vector<link::StoreTable> tables_;
  std::set<Slot> shared_wholes_;  // outputs that stay variables and are read back
};

std::set<Slot> all_slots(const std::vector<LinkedStage*>& stages, std::vector<Varying> LinkedStage::*list) {
  std::set<Slot> slots;
  for (const LinkedStage* stage : stages)
    for (const Varying& varying : stage->*list)
      if (varying.form != Varying::Form::fixed) slots.insert(varying.slot);
  return slots;
}

Plan make_plan(link::Link& link) {
  Plan plan;
  const std::set<Slot> read = read_slots(link);
  const Producers producers(link);
  for (const Slot slot : all_slots(link.consumers, &LinkedStage::inputs)) {
    if (read.count(slot) == 0)
      plan.unread_inputs.push_back(slot);
    else if (producers.never_written(slot))
      plan.unwritten_inputs.push_back(slot);
  }
  for (const Slot slot : all_slots(link.producers, &LinkedStage::outputs)) {
    const bool needed = read.count(slot) != 0 && !producers.never_written(slot);
    if (!needed && !producers.captured(slot) && !producers.read_back(slot)) plan.unread_outputs.push_back(slot);
  }
  return plan;
}

bool keeps_sample_shading(link::Link& link, Slot slot) {
  if (!is_last_sample_input(link, slot)) return false;
  if (auto* record = link.record(slot)) record->reason = "the last input that is interpolated per sample";
  return true;
}

void drop_input(link::Link& link, Slot slot) {
  link.undeclared_input_removed = link.undeclared_input_removed || !link.record(slot);
  for (LinkedStage* consumer : link.consumers)
    if (find_varying(consumer->inputs, slot)) remove_input(*consumer, slot);
}

// A scalar that no producer ever stores may read as anything; zero reads the same everywhere.
void read_as_zero(link::Link& link, Slot slot) {
  link.undeclared_input_removed = link.undeclared_input_removed || !link.record(slot);
  for (LinkedStage* consumer : link.consumers) {
    const Varying* input = find_varying(consumer->inputs, slot);
    if (!input) continue;
    Diagnostic warning = make_warning(consumer->file, "location " + text(slot) + " is read but never written by " +
                                                          link.producers.front()->file + "; it reads as zero");
    warning.location = text(slot);
    link.warnings.push_back(std::move(warning));
    const std::size_t words = input->scalar.width == 64 ? 2 : 1;
    replace_input(*consumer, slot, std::vector<std::uint32_t>(words, 0));
  }
}

}  // namespace

Result<Progress> remove_dead_varyings(link::Link& link, PassContext& context) {
  Progress progress = Progress::none;
  const Plan plan = make_plan(link);
  std::set<Slot> still_declared = all_slots(link.consumers, &LinkedStage::inputs);
  for (const Slot slot : plan.unread_inputs) {
    if (keeps_sample_shading(link, slot) || !context.spend_fuel()) continue;
    drop_input(link, slot);
    still_declared.erase(slot);
    progress = progress | Progress::consumer;
  }
  for (const Slot slot : plan.unwritten_inputs) {
    if (keeps_sample_shading(link, slot) || !context.spend_fuel()) continue;
    read_as_zero(link, slot);
    still_declared.erase(slot);
    progress = progress | Progress::consumer;
  }
  for (const Slot slot : plan.unread_outputs) {
    const bool is_declared = still_declared.count(slot) != 0 && !seeded_fault("dead-output-of-a-declared-input");
    if (is_declared || !context.spend_fuel()) continue;
    for (LinkedStage* producer : link.producers)
      if (const Varying* output = find_varying(producer->outputs, slot)) {
        const bool unwritten = std::count(plan.unwritten_inputs.begin(), plan.unwritten_inputs.end(), slot) != 0;
        link.settle(*output, link::Fate::dead, unwritten ? "never written; it reads as zero" : "nobody reads it");
        remove_output(*producer, slot);
        progress = progress | Progress::producer;
      }
  }
  return progress;
}

}  // namespace varylink::passes
