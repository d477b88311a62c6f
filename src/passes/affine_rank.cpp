#include "passes/affine_rank.h"

#include "io/code_edit.h"
#include "io/pointer_access.h"
#include "passes/affine_plan.h"
#include "passes/float_environment.h"

namespace varylink::passes {
namespace {

using graph::ValueId;
using io::Slot;
using link::find_varying;
using link::LinkedStage;
using spirv::Id;

bool may_combine(const link::Link& link) {
  return link.producers.size() == 1 && link.consumers.size() == 1 && link.consumer_interpolates() &&
         may_move_floats(*link.producers.front(), *link.consumers.front());
}

// Computes the values at the start of the entry point and gives them to whoever loaded the inputs.
void compute_in(LinkedStage& consumer, const std::vector<RebuiltInput>& inputs, const AffinePlanner& planner) {
  spirv::Module& module = consumer.module;
  const graph::Resources resources = with_declared(consumer, planner.resources_of(inputs));
  const spirv::Uses uses(module);
  spirv::Globals globals(module);
  io::Emitter emitter(module, globals);
  io::CodeEdit edit;
  emitter.write_to(edit.start());
  std::map<Slot, Id> loads;
  const auto load = [&](Slot slot) {
    Id& loaded = loads[slot];
    const Id variable = find_varying(consumer.inputs, slot)->variable;
    if (loaded == 0) loaded = emitter.load(spirv::pointee_type(module, module.type_of(variable)), variable);
    return loaded;
  };
  for (const RebuiltInput& input : inputs) {
    const auto arrived = [&](ValueId value) {
      const auto found = input.from.find(value);
      return found == input.from.end() ? Id{0} : load(found->second);
    };
    graph::ValueWriter writer(planner.graph(), module, globals, emitter, resources, arrived);
    const Id computed = writer.write(input.expression);
    const Id variable = find_varying(consumer.inputs, input.slot)->variable;
    for (const io::PointerAccess& access : io::accesses_of(module, uses, variable).accesses) {
      edit.replace(module[access.inst].result, computed);
      edit.remove(access.inst);
    }
  }
  edit.apply(module, consumer.entry);
  for (const RebuiltInput& input : inputs) remove_input(consumer, input.slot);
}

std::string reason_for(const link::Link& link, const RebuiltInput& input) {
  std::set<Slot> from;
  for (const auto& [value, slot] : input.from) from.insert(link.declared(slot));
  std::string list;
  for (const Slot slot : from) list += (list.empty() ? "" : " and ") + text(slot);
  return "the next stage computes it from " + list;
}

}  // namespace

Result<Progress> affine_rank(link::Link& link, PassContext& context) {
  if (!may_combine(link)) return Progress::none;
  const std::optional<link::PipelineLayout>& layout = context.options().layout;
  AffinePlanner planner(link, !context.options().allow_discontinuous, layout ? &*layout : nullptr);
  const std::vector<RebuiltInput> inputs = planner.run([&] { return context.spend_fuel(); });
  if (inputs.empty()) return Progress::none;
  LinkedStage& producer = *link.producers.front();
  compute_in(*link.consumers.front(), inputs, planner);
  for (const RebuiltInput& input : inputs) {
    link.settle(*find_varying(producer.outputs, input.slot), link::Fate::moved, reason_for(link, input));
    remove_output(producer, input.slot);
  }
  return Progress::both;
}

}  // namespace varylink::passes
