#include "passes/propagate_uniforms.h"

#include <algorithm>
#include <set>

#include "io/code_edit.h"
#include "io/pointer_access.h"
#include "link/producer_values.h"
#include "passes/value_cost.h"
#include "spirv/fold_identities.h"

namespace varylink::passes {
namespace {

using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using io::Slot;
using io::Varying;
using link::find_varying;
using link::LinkedStage;

// A value with everything it is made of, operands first.
std::set<ValueId> parts_of(const graph::ValueGraph& graph, ValueId value) {
  std::set<ValueId> parts;
  std::vector<ValueId> open = {value};
  while (!open.empty()) {
    const ValueId part = open.back();
    open.pop_back();
    if (!parts.insert(part).second) continue;
    open.insert(open.end(), graph[part].operands.begin(), graph[part].operands.end());
  }
  return parts;
}

class Planner {
 public:
  explicit Planner(const link::Link& link) : link_(link) {
    for (const LinkedStage* producer : link.producers)
      producers_.push_back(std::make_unique<link::ProducerValues>(*producer, graph_));
    for (const LinkedStage* consumer : link.consumers) resources_.emplace_back(consumer->module);
  }

  const graph::ValueGraph& graph() const { return graph_; }
  const graph::Resources& resources(std::size_t consumer) const { return resources_[consumer]; }

  std::map<Slot, ValueId> run() const {
    std::map<Slot, ValueId> plan;
    std::set<Slot> slots;
    for (const LinkedStage* consumer : link_.consumers)
      for (const Varying& input : consumer->inputs) slots.insert(input.slot);
    for (const Slot slot : slots) {
      const auto value = common_value(slot);
      if (value && consumers_accept(slot) && is_cheap_uniform(*value)) plan.emplace(slot, *value);
    }
    return plan;
  }

 private:
  std::optional<ValueId> common_value(Slot slot) const {
    std::optional<ValueId> common;
    for (std::size_t i = 0; i < producers_.size(); ++i) {
      if (!find_varying(link_.producers[i]->outputs, slot)) continue;
      const auto value = producers_[i]->value(slot);
      if (!value || (common && *common != *value)) return std::nullopt;
      common = value;
    }
    return common;
  }

  bool consumers_accept(Slot slot) const {
    return std::all_of(link_.consumers.begin(), link_.consumers.end(), [&](const LinkedStage* consumer) {
      const Varying* input = find_varying(consumer->inputs, slot);
      if (!input) return true;
      // Interpolating an infinity gives NaN, which code may ask to be kept.
      return input->form == Varying::Form::scalar && input->scalar.width == 32 &&
             (!link_.consumer_interpolates() || spirv::allows_identities(consumer->module));
    });
  }

  bool is_cheap_uniform(ValueId value) const {
    double cost = 0;
    bool reads = false;
    for (const ValueId part : parts_of(graph_, value)) {
      const Value& node = graph_[part];
      if (node.kind == ValueKind::leaf || node.kind == ValueKind::sites) return false;
      if (node.kind == ValueKind::resource) {
        if (!is_readable(node)) return false;
        reads = true;
      }
      cost += cost_of(node);
    }
    return reads && cost <= uniform_cost_limit(link_.report.consumer);
  }

  bool is_readable(const Value& node) const {
    const graph::ResourceKey key = graph::ResourceKey::from(node.words);
    // One push constant range need not reach both stages (rule ).
    if (key.storage == spv::StorageClass::PushConstant) return false;
    return std::all_of(resources_.begin(), resources_.end(),
                       [&](const graph::Resources& resources) { return resources.find(key, node.type).has_value(); });
  }

  const link::Link& link_;
  graph::ValueGraph graph_;
  std::vector<std::unique_ptr<link::ProducerValues>> producers_;
  std::vector<graph::Resources> resources_;
};

// Computes the values at the start of the entry point and gives them to whoever loaded the inputs.
void compute_in(LinkedStage& consumer, const std::map<Slot, ValueId>& plan, const graph::ValueGraph& graph,
                const graph::Resources& resources) {
  spirv::Module& module = consumer.module;
  const spirv::Uses uses(module);
  spirv::Globals globals(module);
  io::Emitter emitter(module, globals);
  io::CodeEdit edit;
  emitter.write_to(edit.start());
  graph::ValueWriter writer(graph, module, globals, emitter, resources, [](ValueId) { return 0; });
  for (const auto& [slot, value] : plan) {
    const Varying* input = find_varying(consumer.inputs, slot);
    if (!input) continue;
    const spirv::Id computed = writer.write(value);
    for (const io::PointerAccess& access : io::accesses_of(module, uses, input->variable).accesses) {
      edit.replace(module[access.inst].result, computed);
      edit.remove(access.inst);
    }
  }
  edit.apply(module, consumer.entry);
  for (const auto& [slot, value] : plan)
    if (find_varying(consumer.inputs, slot)) remove_input(consumer, slot);
}

}  // namespace

Result<Progress> propagate_uniforms(link::Link& link, PassContext& context) {
  if (link.consumers.empty()) return Progress::none;
  const Planner planner(link);
  std::map<Slot, ValueId> plan = planner.run();
  std::erase_if(plan,
                [&](const auto& entry) { return is_last_sample_input(link, entry.first) || !context.spend_fuel(); });
  if (plan.empty()) return Progress::none;
  for (std::size_t i = 0; i < link.consumers.size(); ++i)
    compute_in(*link.consumers[i], plan, planner.graph(), planner.resources(i));
  Progress progress = Progress::consumer;
  for (const auto& [slot, value] : plan)
    for (LinkedStage* producer : link.producers) {
      const Varying* output = find_varying(producer->outputs, slot);
      if (!output) continue;
      link.settle(*output, link::Fate::uniform, "the next stage evaluates the uniform expression itself");
      if (output->captured) continue;
      remove_output(*producer, slot);
      progress = Progress::both;
    }
  return progress;
}

}  // namespace varylink::passes
