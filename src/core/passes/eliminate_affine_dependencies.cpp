#include "passes/eliminate_affine_dependencies.h"

#include "passes/affine/affine_plan.h"

namespace varylink::passes {

using link::find_varying;
using link::LinkedStage;

Result<Progress> eliminate_affine_dependencies(link::Link& link, PassContext& context) {
  if (!may_rebuild_inputs(link)) return Progress::none;
  AffinePlanner planner(link, context.producers_of(link), context.options());
  const std::vector<RebuiltInput> inputs = planner.run([&] { return context.spend_fuel(); });
  if (inputs.empty()) return Progress::none;
  LinkedStage& producer = *link.producers.front();
  LinkedStage& consumer = *link.consumers.front();
  if (!rebuild_inputs(consumer, inputs, planner.components())) return graph::incomplete_value(consumer.file);
  for (const RebuiltInput& input : inputs) {
    link.record_outcome(*find_varying(producer.outputs, input.slot), link::Outcome::moved, reason_for(link, input));
    remove_output(producer, input.slot);
  }
  return Progress::both;
}

}  // namespace varylink::passes
