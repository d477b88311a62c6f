#include "passes/propagate_uniforms.h"

#include <algorithm>
#include <set>

#include "base/seeded_fault.h"
#include "graph/value_cost.h"
#include "link/model/varying_index.h"
#include "link/values/evaluated_reads.h"
#include "link/values/float_environment.h"
#include "link/values/interpolated_reads.h"
#include "link/values/kept_rounding.h"
#include "link/values/producer_values.h"
#include "link/values/reachable_resources.h"
#include "spirv/cleanup/clean_ups.h"

namespace varylink::passes {
namespace {

using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using link::find_varying;
using link::LinkedStage;
using varyings::Slot;
using varyings::Varying;

// A declaration or promise that the consumer lacks to evaluate an expression, and that the application could give.
struct Lack {
  enum class Kind : std::uint8_t { uniform_buffer, push_constants, shared_spec_constants, same_spec_constant };
  Kind kind = Kind::uniform_buffer;
  std::uint32_t set = 0, binding = 0;  // of a uniform buffer
  std::uint32_t spec_id = 0;           // of a constant that the two stages declare in different ways
  friend auto operator<=>(const Lack&, const Lack&) = default;
};

class UniformPlanner {
 public:
  UniformPlanner(const link::Link& link, link::ReadProducers& read, const link::LinkOptions& options)
      : link_(link),
        declared_(link),
        layout_(options.layout ? &*options.layout : nullptr),
        profile_(options.profile),
        cost_limit_(graph::uniform_cost_limit(profile_, link.report.consumer)),
        read_(read),
        graph_(read.graph()) {
    for (const LinkedStage* consumer : link.consumers) resources_.emplace_back(*consumer, layout_);
    for (const LinkedStage* producer : link.producers)
      for (const LinkedStage* consumer : link.consumers)
        share_float_modes_ = share_float_modes_ && share_float_modes(*producer, *consumer);
  }

  const graph::ValueGraph& graph() const { return graph_; }

  std::map<Slot, ValueId> run() {
    std::map<Slot, ValueId> plan;
    std::set<Slot> slots;
    for (const LinkedStage* consumer : link_.consumers)
      for (const Varying& input : consumer->inputs) slots.insert(input.slot);
    for (const Slot slot : link::slots_read_at_offset(link_)) slots.erase(slot);
    for (const Slot slot : slots) {
      const auto value = common_value(slot);
      if (!value || !consumers_accept(slot) || !is_cheap_uniform(*value)) continue;
      const std::set<Lack> lacks = lacks_of(*value);
      if (lacks.empty())
        plan.emplace(slot, *value);
      else if (a_layout_could_help(*value))
        ++gains_[lacks];
    }
    return plan;
  }

  // Changes that the application could make, and the number of components that each would win.
  std::map<std::string, std::uint32_t> gains() const {
    std::map<std::string, std::uint32_t> result;
    for (const auto& [lacks, components] : gains_) {
      std::string change;
      for (const Lack& lack : lacks) change += (change.empty() ? "" : ", and ") + text(lack);
      result[change] += components;
    }
    return result;
  }

 private:
  std::optional<ValueId> common_value(Slot slot) const {
    std::optional<ValueId> common;
    for (std::size_t i = 0; i < link_.producers.size(); ++i) {
      if (!declared_.producers[i].find(slot)) continue;
      const auto value = read_.producer(i).value(slot);
      if (!value || (common && *common != *value)) return std::nullopt;
      common = value;
    }
    return common;
  }

  bool consumers_accept(Slot slot) const {
    for (std::size_t i = 0; i < link_.consumers.size(); ++i) {
      const Varying* input = declared_.consumers[i].find(slot);
      if (!input) continue;
      if (input->form != Varying::Form::scalar || input->scalar.width < 32) return false;
      // Interpolating an infinity gives NaN, which code may ask to be kept.
      if (link_.consumer_interpolates() && !spirv::allows_identities(link_.consumers[i]->module)) return false;
    }
    return true;
  }

  bool is_float_arithmetic(const Value& node) const {
    const auto is_float = [](varyings::ScalarType type) { return type.kind == varyings::ScalarKind::floating; };
    return node.kind == ValueKind::operation &&
           (is_float(node.type) || std::any_of(node.operands.begin(), node.operands.end(),
                                               [&](ValueId operand) { return is_float(graph_[operand].type); }));
  }

  bool is_cheap_uniform(ValueId value) const {
    if (!graph_.is_uniform(value)) return false;
    const std::set<ValueId> parts = parts_of(graph_, {value});
    for (const ValueId part : parts) {
      const Value& node = graph_[part];
      if (!share_float_modes_ && is_float_arithmetic(node)) return false;
      if (!all_can_compute_with(node.type)) return false;
    }
    // Constants are for propagate-constants, which may know a reason to leave one alone.
    return graph_[value].kind != ValueKind::constant && cost_of(profile_, graph_, parts) <= cost_limit_;
  }

  bool all_can_compute_with(varyings::ScalarType type) const {
    return std::all_of(resources_.begin(), resources_.end(),
                       [&](const auto& each) { return each.can_compute_with(type); });
  }

  bool all_can_evaluate(const Value& node) const {
    return std::all_of(resources_.begin(), resources_.end(), [&](const auto& each) { return each.can_evaluate(node); });
  }

  bool a_layout_could_help(ValueId value) const {
    const std::set<ValueId> parts = parts_of(graph_, {value});
    return std::all_of(resources_.begin(), resources_.end(), [&](const auto& each) {
      return std::all_of(parts.begin(), parts.end(), [&](ValueId part) {
        return graph_[part].kind != ValueKind::resource || each.could_read(graph_[part]);
      });
    });
  }

  std::set<Lack> lacks_of(ValueId value) {
    std::set<Lack> lacks;
    if (seeded_fault("uniform-of-a-buffer-the-stage-lacks")) return lacks;
    for (const ValueId part : parts_of(graph_, {value})) {
      const Value& node = graph_[part];
      if (node.kind == ValueKind::specialization && !all_can_evaluate(node)) lacks.insert(lack_of_constant(node));
      if (node.kind != ValueKind::resource) continue;
      const bool is_same = is_same_resource(node, link_.report.producer, link_.report.consumer, layout_);
      if (is_same && all_can_evaluate(node)) continue;
      lacks.insert(lack_of_buffer(graph::ResourceKey::from(node.words), node.type.width / 8));
    }
    return lacks;
  }

  Lack lack_of_constant(const Value& node) const {
    Lack lack;
    const bool are_shared = std::all_of(link_.consumers.begin(), link_.consumers.end(),
                                        [](const LinkedStage* stage) { return stage->state.shared_spec_constants; });
    lack.kind = are_shared ? Lack::Kind::same_spec_constant : Lack::Kind::shared_spec_constants;
    if (are_shared) lack.spec_id = node.words.front();
    return lack;
  }

  Lack lack_of_buffer(const graph::ResourceKey& key, std::uint32_t bytes) {
    Lack lack;
    lack.set = key.set;
    lack.binding = key.binding;
    if (key.storage != spv::StorageClass::PushConstant) return lack;
    lack.kind = Lack::Kind::push_constants;
    pushed_bytes_ = {std::min(pushed_bytes_.first, key.offset),
                     std::max(pushed_bytes_.second, key.last_offset() + bytes - 1)};
    return lack;
  }

  std::string text(const Lack& lack) const {
    const std::string flag = link::stage_flag(link_.report.consumer);
    switch (lack.kind) {
      case Lack::Kind::push_constants:
        return link::stage_flag(link_.report.producer) + " | " + flag +
               " in the stageFlags of one push constant range with bytes " + std::to_string(pushed_bytes_.first) +
               " to " + std::to_string(pushed_bytes_.second);
      case Lack::Kind::shared_spec_constants: return "--shared-spec-constants";
      case Lack::Kind::same_spec_constant:
        return "one type and default of specialization constant " + std::to_string(lack.spec_id) + " in both stages";
      default:
        return flag + " in the stageFlags of set " + std::to_string(lack.set) + ", binding " +
               std::to_string(lack.binding);
    }
  }

  const link::Link& link_;
  const link::VaryingIndices declared_;
  const link::PipelineLayout* layout_;  // may be null
  const analysis::CostProfile& profile_;
  double cost_limit_;  // of one component
  bool share_float_modes_ = true;
  link::ReadProducers& read_;
  const graph::ValueGraph& graph_;
  std::vector<link::ReachableResources> resources_;
  std::map<std::set<Lack>, std::uint32_t> gains_;
  std::pair<std::uint32_t, std::uint32_t> pushed_bytes_ = {0xffffffffu, 0};  // first and last that are lacking
};

// False: one of the values could not be computed, and the stage is of no use any more.
bool compute_in(LinkedStage& consumer, const std::map<Slot, ValueId>& plan, const graph::ValueGraph& graph,
                const std::vector<bool>& keeps_rounding) {
  std::map<spirv::Id, ValueId> values;
  std::set<Slot> gone;
  for (const auto& [slot, value] : plan) {
    const Varying* input = find_varying(consumer.inputs, slot);
    if (!input) continue;
    values.emplace(input->variable, value);
    gone.insert(slot);
  }
  const bool is_complete = link::evaluate_reads(consumer, graph, values, keeps_rounding);
  link::remove_inputs(consumer, gone);
  return is_complete;
}

bool is_made_of_constants(const graph::ValueGraph& graph, ValueId value) {
  const std::set<ValueId> parts = parts_of(graph, {value});
  return std::all_of(parts.begin(), parts.end(), [&](ValueId part) {
    return graph[part].kind == ValueKind::constant || graph[part].kind == ValueKind::operation;
  });
}

// The plan goes as a whole: no input of it is the last one that is interpolated per sample, but all of them together
// may be. That may be what makes the fragment shader run per sample (rule ), so one stays.
void spare_one_sample_input(const LinkedStage& consumer, std::map<Slot, ValueId>& plan) {
  if (seeded_fault("uniform-takes-every-sample-input")) return;
  const Varying* spared = nullptr;
  for (const Varying& input : consumer.inputs) {
    if (!input.is_per_sample()) continue;
    if (plan.count(input.slot) == 0) return;
    if (!spared || input.slot < spared->slot) spared = &input;
  }
  if (spared) plan.erase(spared->slot);
}

}  // namespace

Result<Progress> propagate_uniforms(link::Link& link, PassContext& context) {
  if (link.consumers.empty()) return Progress::none;
  UniformPlanner planner(link, context.producers_of(link), context.options());
  std::map<Slot, ValueId> plan = planner.run();
  link.layout_gains = planner.gains();
  for (const LinkedStage* consumer : link.consumers) spare_one_sample_input(*consumer, plan);
  std::erase_if(plan, [&](const auto&) { return !context.spend_fuel(); });
  if (plan.empty()) return Progress::none;
  for (LinkedStage* consumer : link.consumers) {
    const std::vector<bool> keeps_rounding =
        link::keeps_rounding(*consumer, link.consumer_interpolates(), context.options().moves_discontinuous());
    if (!compute_in(*consumer, plan, planner.graph(), keeps_rounding)) return graph::incomplete_value(consumer->file);
  }
  Progress progress = Progress::consumer;
  for (const auto& [slot, value] : plan)
    for (LinkedStage* producer : link.producers) {
      const Varying* output = find_varying(producer->outputs, slot);
      if (!output) continue;
      if (is_made_of_constants(planner.graph(), value))
        link.record_outcome(*output, link::Outcome::constant,
                            "computed from constants: the next stage computes it itself");
      else
        link.record_outcome(*output, link::Outcome::uniform, "the next stage evaluates the uniform expression itself");
      if (output->captured) continue;
      remove_output(*producer, slot);
      progress = Progress::both;
    }
  return progress;
}

}  // namespace varylink::passes
