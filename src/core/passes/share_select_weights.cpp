#include "passes/share_select_weights.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/seeded_fault.h"
#include "passes/affine/choice_tree.h"
#include "passes/affine/rebuildable_inputs.h"
#include "spirv/ir/any_instruction.h"

namespace varylink::passes {
namespace {

using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using link::find_varying;
using link::LinkedStage;
using varyings::Slot;
using Row = RebuildableInputs::Row;

// Constants further apart than this do not share a weight: rounding of the larger one would show in the smaller.
constexpr float kMostRatio = 4;

struct Chooser {
  Row row;
  Choice choice;
};

// Choosers that one weight is enough for, which takes the slot of the first.
struct ChoiceGroup {
  std::vector<Chooser> choosers;
  std::vector<RebuiltInput> inputs;
  Slot slot() const { return choosers.front().row.slot; }
};

class ChoicePlanner {
 public:
  ChoicePlanner(const link::Link& link, RebuildableInputs& components)
      : components_(components),
        graph_(components.graph()),
        reader_(link.producers.front()->module, components.producer(), graph_,
                [&components](ValueId value) { return components.is_rematerializable(value); }) {}

  std::vector<ChoiceGroup> run() {
    std::vector<ChoiceGroup> groups;
    for (const auto& [key, rows] : components_.classes()) {
      const bool is_float =
          std::get<varyings::ScalarType>(key) == varyings::ScalarType{varyings::ScalarKind::floating, 32};
      if (is_float && components_.producer().store_points(std::get<graph::StorePointSetId>(key)).size() == 1)
        find(rows, groups);
    }
    return groups;
  }

 private:
  void find(const std::vector<Row>& rows, std::vector<ChoiceGroup>& groups) {
    std::map<std::uint32_t, ChoiceGroup> alike;
    for (const Row& row : rows) {
      if (row.stays) continue;
      std::optional<Choice> choice = reader_.read(row.value);
      if (!choice || !is_well_conditioned(*choice)) continue;
      const std::uint32_t key = seeded_fault("choices-are-all-alike") ? 0 : choice->key;
      alike[key].choosers.push_back({row, std::move(*choice)});
    }
    for (auto& [key, group] : alike) {
      // The weight travels in full precision if somebody needs it.
      std::stable_sort(group.choosers.begin(), group.choosers.end(),
                       [](const Chooser& a, const Chooser& b) { return !a.row.relaxed && b.row.relaxed; });
      if (group.choosers.size() > 1 && rebuild(group)) groups.push_back(std::move(group));
    }
  }

  std::optional<float> constant(ValueId value) const {
    if (graph_[value].kind != ValueKind::constant) return std::nullopt;
    return std::bit_cast<float>(graph_[value].words.at(0));
  }

  bool is_zero(ValueId value) const { return constant(value) == 0.0f; }

  bool is_well_conditioned(const Choice& choice) const {
    if (is_zero(choice.first) || is_zero(choice.second)) return true;
    const auto a = constant(choice.first), b = constant(choice.second);
    return a && b && std::abs(*a) <= kMostRatio * std::abs(*b) && std::abs(*b) <= kMostRatio * std::abs(*a);
  }

  // False if some component is not worth it; the others would then keep their conditions in the producer all the same.
  bool rebuild(ChoiceGroup& group) {
    Value leaf;
    leaf.type = {varyings::ScalarKind::floating, 32};
    leaf.words = {0, group.slot().location * 4 + group.slot().component};  // no id of the producer is 0
    const ValueId weight = graph_.intern(std::move(leaf));
    for (const Chooser& chooser : group.choosers) {
      RebuiltInput input;
      input.slot = chooser.row.slot;
      input.expression = weighed(weight, chooser.choice);
      input.from.emplace(weight, group.slot());
      if (!components_.is_worth_it(input)) return false;
      group.inputs.push_back(std::move(input));
    }
    return true;
  }

  // first + weight * (second - first)
  ValueId weighed(ValueId weight, const Choice& choice) {
    const auto a = constant(choice.first), b = constant(choice.second);
    if (a && b) return add(times(weight, number(*b - *a)), number(*a));
    if (is_zero(choice.first)) return times(weight, choice.second);
    return times(operation(spv::Op::OpFSub, number(1), weight), choice.first);
  }

  ValueId times(ValueId weight, ValueId factor) {
    return constant(factor) == 1.0f ? weight : operation(spv::Op::OpFMul, weight, factor);
  }
  ValueId add(ValueId sum, ValueId offset) { return is_zero(offset) ? sum : operation(spv::Op::OpFAdd, sum, offset); }
  ValueId number(float value) {
    return graph_.constant({varyings::ScalarKind::floating, 32}, {std::bit_cast<std::uint32_t>(value)});
  }
  ValueId operation(spv::Op op, ValueId a, ValueId b) {
    return graph_.intern(graph::value_of({op, 0, false, {varyings::ScalarKind::floating, 32}, {a, b}}));
  }

  RebuildableInputs& components_;
  graph::ValueGraph& graph_;
  ChoiceReader reader_;
};

// Without a phi and a selection no value is a choice.
bool chooses(const spirv::Module& module) {
  return spirv::any_instruction(module, [&](spirv::InstRef inst) {
    return module[inst].op == spv::Op::OpPhi || module[inst].op == spv::Op::OpSelect;
  });
}

// Stores the weights in place of the first components. Returns the groups for which that was possible.
std::vector<ChoiceGroup> send_weights(LinkedStage& producer, const RebuildableInputs& components,
                                      std::vector<ChoiceGroup> groups) {
  spirv::Module& module = producer.module;
  const link::StoreTable table(producer);
  spirv::Globals globals(module);
  spirv::CodeEdit edit;
  ChoiceWriter writer(module, *module.function(producer.entry.function), components.producer(), globals, edit);
  std::vector<ChoiceGroup> sent;
  for (ChoiceGroup& group : groups) {
    const link::SlotStores* stores = table.find(group.slot());
    if (!stores || stores->stores.size() != 1) continue;
    const spirv::InstRef store = stores->stores.front().inst;
    const spirv::Id weight = writer.write(group.choosers.front().choice, store);
    if (weight == 0) continue;
    module.rewrite(store, spv::Op::OpStore, {module.operand(store, 0), spirv::id(weight)});
    sent.push_back(std::move(group));
  }
  edit.apply(module, producer.entry.function);
  return sent;
}

}  // namespace

Result<Progress> share_select_weights(link::Link& link, PassContext& context) {
  if (!may_rebuild_inputs(link) || !chooses(link.producers.front()->module)) return Progress::none;
  RebuildableInputs components(link, context.producers_of(link), context.options());
  std::vector<ChoiceGroup> groups = ChoicePlanner(link, components).run();
  std::erase_if(groups, [&](const ChoiceGroup&) { return !context.spend_fuel(); });
  if (groups.empty()) return Progress::none;
  LinkedStage &producer = *link.producers.front(), &consumer = *link.consumers.front();
  const spirv::Module before = producer.module;
  groups = send_weights(producer, components, std::move(groups));
  if (groups.empty()) {
    producer.module = before;
    return Progress::none;
  }

  std::vector<RebuiltInput> inputs;
  for (const ChoiceGroup& group : groups) inputs.insert(inputs.end(), group.inputs.begin(), group.inputs.end());
  if (!rebuild_inputs(consumer, inputs, components)) return graph::incomplete_value(consumer.file);
  for (const ChoiceGroup& group : groups) {
    const std::string reason =
        "sent as a weight: " + std::to_string(group.choosers.size()) + " components choose alike between two uniforms";
    for (const Chooser& chooser : group.choosers) {
      link.record_outcome(*find_varying(producer.outputs, chooser.row.slot), link::Outcome::moved, reason);
      if (chooser.row.slot != group.slot()) remove_output(producer, chooser.row.slot);
    }
  }
  return Progress::both;
}

}  // namespace varylink::passes
