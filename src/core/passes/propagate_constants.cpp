#include "passes/propagate_constants.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/seeded_fault.h"
#include "link/model/varying_index.h"
#include "link/values/float_environment.h"
#include "link/values/interpolated_reads.h"
#include "link/values/slot_values.h"

namespace varylink::passes {
namespace {

using link::find_varying;
using link::LinkedStage;
using varyings::Slot;
using varyings::Varying;

using Bits = std::vector<std::uint32_t>;

// The one constant that all stores of all producers give to the slot; none if there is no such constant.
std::optional<Bits> common_constant(const link::VaryingIndices& declared, const std::vector<link::StoreTable>& tables,
                                    Slot slot) {
  std::optional<Bits> constant;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const link::SlotStores* stores = tables[i].find(slot);
    if (!stores) {
      if (declared.producers[i].find(slot)) return std::nullopt;
      continue;  // this producer never writes it
    }
    if (stores->read_back) return std::nullopt;
    if (link::stores_nothing_defined(*stores)) continue;
    const std::optional<Bits> stored = link::common_constant(*stores);
    if (!stored || (constant && *constant != *stored)) return std::nullopt;
    constant = stored;
    if (seeded_fault("constant-loses-a-bit")) constant->front() ^= 0x00400000u;
  }
  return constant;
}

bool is_scalar_everywhere(const link::Link& link, const link::VaryingIndices& declared, Slot slot) {
  for (std::size_t i = 0; i < link.consumers.size(); ++i)
    if (const Varying* input = declared.consumers[i].find(slot))
      if (input->form != Varying::Form::scalar || states_float_environment(*link.consumers[i])) return false;
  return true;
}

std::map<Slot, Bits> plan_constants(link::Link& link) {
  std::vector<link::StoreTable> tables;
  for (const LinkedStage* producer : link.producers) tables.emplace_back(*producer);
  const link::VaryingIndices declared(link);
  const std::set<Slot> at_offset = link::slots_read_at_offset(link);
  std::map<Slot, Bits> plan;
  std::set<Slot> seen;  // the answer for a slot does not depend on which of many consumers declares it
  for (const LinkedStage* consumer : link.consumers)
    for (const Varying& input : consumer->inputs) {
      if (!seen.insert(input.slot).second || !is_scalar_everywhere(link, declared, input.slot)) continue;
      const auto bits = common_constant(declared, tables, input.slot);
      if (!bits) continue;
      if (at_offset.count(input.slot) == 0)
        plan[input.slot] = *bits;
      else if (auto* record = link.record(input.slot))
        record->reason = "a constant, but read at an offset, where drivers extrapolate";
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
      link.record_outcome(*output, link::Outcome::constant, "every store writes the same constant");
      if (output->captured) continue;
      remove_output(*producer, slot);
      progress = progress | Progress::producer;
    }
  }
  return progress;
}

}  // namespace varylink::passes
