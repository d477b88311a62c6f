#include "driver/group_steps.h"

namespace varylink::driver {
namespace {

// The part of a state that convergence, dead varyings and shared constants look at.
state::PipelineState asked_all_over(const state::PipelineState& state) {
  state::PipelineState asked;
  asked.no_fragment = state.no_fragment;
  asked.topology = state.topology;
  asked.instance_rate_attributes = state.instance_rate_attributes;
  asked.shared_spec_constants = state.shared_spec_constants;
  asked.rasterizer_discard = state.rasterizer_discard;
  return asked;
}

}  // namespace

void record_assumptions(GroupRecords& group, const link::GroupInput& input) {
  for (PipelineRecord& pipeline : group.pipelines) {
    if (pipeline.result.failure != ErrorKind::none) continue;
    link::Assumptions& assumptions = pipeline.result.assumptions;
    assumptions.specialization = link::frozen_constants(input, *pipeline.input);
    for (const std::size_t position : pipeline.modules) {
      const ModuleRecord& module = group.modules[position];
      if (!module.is_changed) continue;
      assumptions.state = state::combined(assumptions.state, asked_all_over(module.stage.state));
      assumptions.state = state::combined(assumptions.state, module.stage.assumed);
      assumptions.layout = group.options->layout;
      if (module.stage.assumed != state::PipelineState{})
        pipeline.remark(module.stage.stage, std::string(link::kNeedsState) + state::to_json(module.stage.assumed));
    }
  }
}

}  // namespace varylink::driver
