#include "passes/propagate_constants.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/seeded_fault.h"
#include "link/values/float_environment.h"
#include "link/values/interpolated_reads.h"
#include "link/values/slot_values.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using link::LinkedStage;
using link::ScalarValue;
using varyings::Slot;
using varyings::Varying;

using Bits = std::vector<std::uint32_t>;

// All loads of an output by its own stage may be replaced (rule ).
bool can_read_constant(const LinkedStage& producer, const Varying& output) {
  const varyings::VariableAccesses accesses =
      varyings::accesses_of(producer.module, spirv::Uses(producer.module), output.variable);
  return !accesses.obstacle && !link::states_float_environment(producer) &&
         std::all_of(accesses.accesses.begin(), accesses.accesses.end(),
                     [&](const auto& access) { return varyings::is_plain_access(producer.module, access); });
}

// The one constant that all stores of all producers give to the slot; none if there is no such constant.
std::optional<Bits> common_constant(const link::Link& link, const std::vector<link::StoreTable>& tables, Slot slot) {
  std::optional<Bits> constant;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const link::SlotStores* stores = tables[i].find(slot);
    if (!stores) {
      if (find_varying(link.producers[i]->outputs, slot)) return std::nullopt;
      continue;  // this producer never writes it
    }
    if (stores->read_back && !can_read_constant(*link.producers[i], *stores->output)) return std::nullopt;
    for (const link::SlotStore& store : stores->stores) {
      if (store.value.kind == ScalarValue::Kind::undefined) continue;
      if (seeded_fault("constant-ignores-computed-store") && store.value.kind != ScalarValue::Kind::constant) continue;
      if (store.value.kind != ScalarValue::Kind::constant) return std::nullopt;
      if (seeded_fault("constant-ignores-other-constant") && constant) continue;
      if (constant && *constant != store.value.bits) return std::nullopt;
      constant = store.value.bits;
      if (seeded_fault("constant-loses-a-bit")) constant->front() ^= 0x00400000u;
    }
  }
  return constant;
}

bool is_scalar_everywhere(const link::Link& link, Slot slot) {
  return std::all_of(link.consumers.begin(), link.consumers.end(), [&](const LinkedStage* consumer) {
    const Varying* input = find_varying(consumer->inputs, slot);
    return !input || (input->form == Varying::Form::scalar && !states_float_environment(*consumer));
  });
}

bool is_declared_by_a_consumer(const link::Link& link, Slot slot) {
  return std::any_of(link.consumers.begin(), link.consumers.end(),
                     [&](const LinkedStage* consumer) { return find_varying(consumer->inputs, slot) != nullptr; });
}

std::map<Slot, Bits> plan_constants(link::Link& link) {
  std::vector<link::StoreTable> tables;
  for (const LinkedStage* producer : link.producers) tables.emplace_back(*producer);
  const std::set<Slot> at_offset = link::slots_read_at_offset(link);
  std::map<Slot, Bits> plan;
  for (const LinkedStage* consumer : link.consumers)
    for (const Varying& input : consumer->inputs) {
      if (!is_scalar_everywhere(link, input.slot)) continue;
      const auto bits = common_constant(link, tables, input.slot);
      if (!bits) continue;
      if (at_offset.count(input.slot) == 0)
        plan[input.slot] = *bits;
      else if (auto* record = link.record(input.slot))
        record->reason = "a constant, but read at an offset, where drivers extrapolate";
    }
  // What only the producers read.
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (const Varying& output : link.producers[i]->outputs) {
      const link::SlotStores* stores = tables[i].find(output.slot);
      if (!stores || !stores->read_back || is_declared_by_a_consumer(link, output.slot)) continue;
      if (const auto bits = common_constant(link, tables, output.slot)) plan[output.slot] = *bits;
    }
  return plan;
}

}  // namespace

Result<Progress> propagate_constants(link::Link& link, PassContext& context) {
  Progress progress = Progress::none;
  for (const auto& [slot, bits] : plan_constants(link)) {
    if (is_last_sample_input(link, slot) || !context.spend_fuel()) continue;
    for (LinkedStage* consumer : link.consumers) {
      if (!find_varying(consumer->inputs, slot)) continue;
      replace_input(*consumer, slot, bits);
      progress = progress | Progress::consumer;
    }
    for (LinkedStage* producer : link.producers) {
      const Varying* output = find_varying(producer->outputs, slot);
      if (!output) continue;
      link.record_fate(*output, link::Fate::constant, "every store writes the same constant");
      if (output->captured) continue;
      replace_loads(*producer, *output, bits);
      remove_output(*producer, slot);
      progress = progress | Progress::producer;
    }
  }
  return progress;
}

}  // namespace varylink::passes
