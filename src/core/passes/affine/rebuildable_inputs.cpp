#include "passes/affine/rebuildable_inputs.h"

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/permitted_values.h"
#include "base/seeded_fault.h"
#include "graph/value_cost.h"
#include "link/values/float_environment.h"
#include "link/values/kept_rounding.h"
#include "link/values/slot_values.h"
#include "spirv/ir/code_edit.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::passes {
namespace {

using graph::Value;
using graph::ValueId;
using graph::ValueKind;
using link::find_varying;
using link::LinkedStage;
using spirv::Id;
using varyings::ScalarKind;
using varyings::Slot;
using varyings::Varying;

bool is_candidate(const Varying& input, const Varying* output) {
  return output && !input.proxy && input.form == Varying::Form::scalar && input.scalar.width == 32 &&
         !input.interpolation.per_vertex;
}

// Loads only, and at least one: instructions that interpolate take the variable itself.
bool is_only_loaded(const varyings::VariableAccesses& accesses) {
  return !accesses.obstacle && !accesses.accesses.empty() &&
         std::all_of(accesses.accesses.begin(), accesses.accesses.end(), [](const varyings::PointerAccess& access) {
           return access.kind == varyings::PointerAccess::Kind::load && access.indices.empty();
         });
}

// Outputs of one stage that may be computed otherwise than their operations say, by what is stored to them.
class PermittedOutputs {
 public:
  explicit PermittedOutputs(const link::LinkedStage& producer)
      : values_(analysis::permissions_behind(producer.module, *producer.module.function(producer.entry.function))) {
    const auto is_permitted = [](spirv::Permissions permissions) { return permissions != 0; };
    if (std::any_of(values_.begin(), values_.end(), is_permitted)) stores_.emplace(producer);
  }

  spirv::Permissions of(const Varying& output) const {
    spirv::Permissions permissions = output.relaxed_precision ? spirv::kRelaxedPrecision : spirv::Permissions{0};
    const link::SlotStores* stores = stores_ ? stores_->find(output.slot) : nullptr;
    if (!stores) return permissions;
    for (const link::SlotStore& store : stores->stores)
      if (store.value.kind == link::ScalarValue::Kind::computed)
        permissions = static_cast<spirv::Permissions>(permissions | values_[store.value.id]);
    return permissions;
  }

 private:
  std::vector<spirv::Permissions> values_;  // by id
  std::optional<link::StoreTable> stores_;  // most modules permit nothing, and need none
};

}  // namespace

bool may_rebuild_inputs(const link::Link& link) {
  return link.producers.size() == 1 && link.consumers.size() == 1 && link.consumer_interpolates() &&
         may_move_floats(*link.producers.front(), *link.consumers.front());
}

std::string reason_for(const link::Link& link, const RebuiltInput& input) {
  std::set<Slot> from;
  for (const auto& [value, slot] : input.from) from.insert(link.declared(slot));
  std::string list;
  for (const Slot slot : from) list += (list.empty() ? "" : " and ") + text(slot);
  return "the next stage computes it from " + list;
}

RebuildableInputs::RebuildableInputs(const link::Link& link, link::ReadProducers& read,
                                     const link::LinkOptions& options)
    : link_(link),
      graph_(read.graph()),
      producer_(read.producer(0)),
      layout_(options.layout ? &*options.layout : nullptr),
      profile_(options.profile),
      uniform_limit_(graph::uniform_cost_limit(profile_, link.report.consumer)),
      resources_(*link.consumers.front(), layout_) {
  find_rows(options.moves_discontinuous());
}

void RebuildableInputs::find_rows(bool crosses_discontinuities) {
  const link::LinkedStage& consumer = *link_.consumers.front();
  const std::vector<bool> keeps_rounding = link::keeps_rounding(consumer, true, crosses_discontinuities);
  const spirv::Uses uses(consumer.module);
  const PermittedOutputs permitted(*link_.producers.front());
  for (const Varying& input : consumer.inputs) {
    const Varying* output = find_varying(link_.producers.front()->outputs, input.slot);
    const auto value = producer_.value(input.slot);
    if (!is_candidate(input, output) || !value || graph_[*value].type != input.scalar) continue;
    const varyings::VariableAccesses accesses = varyings::accesses_of(consumer.module, uses, input.variable);
    if (!is_only_loaded(accesses)) continue;
    const bool stops = std::any_of(
        accesses.accesses.begin(), accesses.accesses.end(),
        [&](const varyings::PointerAccess& access) { return keeps_rounding[consumer.module[access.inst].result]; });
    Row row{input.slot, *value};
    // Rule. Integers that do not wrap around in one way or another are no two of a kind.
    const spirv::Permissions permissions = permitted.of(*output);
    row.relaxed = input.relaxed_precision || permissions != 0;
    row.stays = output->captured || has_no_contraction_operation(*value) ||
                (stops && input.scalar.kind == ScalarKind::floating) || (permissions & ~spirv::kRelaxedPrecision) != 0;
    const bool mixed = seeded_fault("affine-mixes-interpolations");
    const varyings::Interpolation interpolation = mixed ? varyings::Interpolation{} : input.interpolation;
    classes_[{interpolation, input.scalar, producer_.store_point_set(input.slot)}].push_back(row);
  }
}

// NoContraction says how the value itself is computed, at some exit or emit.
bool RebuildableInputs::has_no_contraction_operation(ValueId value) const {
  const Value& node = graph_[value];
  if (node.kind != ValueKind::per_store_point) return node.no_contraction;
  return std::any_of(node.operands.begin(), node.operands.end(),
                     [&](ValueId operand) { return graph_[operand].no_contraction; });
}

// Operands come before what they are operands of, so that one walk over the graph serves every question.
bool RebuildableInputs::is_rematerializable(ValueId wanted) {
  for (auto value = static_cast<ValueId>(rematerializable_.size()); value <= wanted; ++value) {
    const Value& node = graph_[value];
    const bool is_same = node.kind != ValueKind::resource ||
                         is_same_resource(node, link_.report.producer, link_.report.consumer, layout_);
    rematerializable_.push_back(is_same && resources_.can_evaluate(node) &&
                                std::all_of(node.operands.begin(), node.operands.end(),
                                            [&](ValueId operand) { return rematerializable_[operand]; }));
  }
  return rematerializable_[wanted];
}

// Calls act(value) for everything that the consumer has to compute or read.
template <typename Act>
void RebuildableInputs::visit(const RebuiltInput& input, Act act) const {
  std::set<ValueId> seen;
  std::vector<ValueId> open = {input.expression};
  while (!open.empty()) {
    const ValueId value = open.back();
    open.pop_back();
    if (input.from.count(value) != 0 || !seen.insert(value).second) continue;
    act(value);
    open.insert(open.end(), graph_[value].operands.begin(), graph_[value].operands.end());
  }
}

bool RebuildableInputs::is_worth_it(const RebuiltInput& input) {
  std::set<ValueId> once, each;  // uniform values, and values that differ from fragment to fragment
  visit(input, [&](ValueId value) { (is_rematerializable(value) ? once : each).insert(value); });
  return cost_of(profile_, graph_, each) <= graph::kOperationsPerComponent &&
         cost_of(profile_, graph_, once) <= uniform_limit_;
}

std::vector<const Value*> RebuildableInputs::resources_of(const std::vector<RebuiltInput>& inputs) const {
  std::vector<const Value*> resources;
  for (const RebuiltInput& input : inputs)
    visit(input, [&](ValueId value) {
      if (graph_[value].kind == ValueKind::resource) resources.push_back(&graph_[value]);
    });
  return resources;
}

bool rebuild_inputs(LinkedStage& consumer, const std::vector<RebuiltInput>& inputs,
                    const RebuildableInputs& components) {
  spirv::Module& module = consumer.module;
  const graph::Resources resources = with_declared(consumer, components.resources_of(inputs));
  const spirv::Uses uses(module);
  spirv::Globals globals(module);
  spirv::Emitter emitter(module, globals);
  spirv::CodeEdit edit;
  emitter.write_to(edit.start());
  std::map<Slot, Id> loads;
  std::set<Slot> sent;
  bool complete = true;
  const auto load = [&](Slot slot) {
    Id& loaded = loads[slot];
    const Id variable = find_varying(consumer.inputs, slot)->variable;
    if (loaded == 0) loaded = emitter.load(spirv::pointee_type(module, module.type_of(variable)), variable);
    return loaded;
  };
  for (const RebuiltInput& input : inputs) {
    const auto interface_id = [&](ValueId value) {
      const auto found = input.from.find(value);
      return found == input.from.end() ? Id{0} : load(found->second);
    };
    graph::ValueWriter writer(components.graph(), module, globals, emitter, resources, interface_id);
    const Id computed = writer.write(input.expression);
    complete = complete && writer.is_complete();
    for (const auto& [value, slot] : input.from) sent.insert(slot);
    const Id variable = find_varying(consumer.inputs, input.slot)->variable;
    for (const varyings::PointerAccess& access : varyings::accesses_of(module, uses, variable).accesses) {
      edit.replace(module[access.inst].result, computed);
      edit.remove(access.inst);
    }
  }
  edit.apply(module, consumer.entry.function);
  for (const RebuiltInput& input : inputs)
    if (sent.count(input.slot) == 0) remove_input(consumer, input.slot);
  return complete;
}

}  // namespace varylink::passes
