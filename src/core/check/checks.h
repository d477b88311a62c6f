// The groups of rules that check_pipeline runs.
#pragma once

#include <vector>

#include "check/reporter.h"
#include "link/rules/interface_model.h"
#include "link/rules/stage_order.h"

namespace varylink::check {

// Both interfaces of one stage. A stage without a user-defined interface in a direction has an empty model there.
struct CheckedStage {
  explicit CheckedStage(const link::StageView& stage)
      : view(stage), inputs(stage, varyings::Direction::input), outputs(stage, varyings::Direction::output) {}

  link::StageView view;
  link::InterfaceModel inputs, outputs;
};

// Rules of one module alone.
void check_stage(const CheckedStage& stage, Reporter& reporter);
// Rules about the types of its interface variables.
void check_types(const CheckedStage& stage, Reporter& reporter);
// Rules about its code.
void check_code(const CheckedStage& stage, Reporter& reporter);
// Rules between a stage and the next one.
void check_stages(const CheckedStage& producer, const CheckedStage& consumer, Reporter& reporter);
// The rule that the primitive id a fragment stage reads is written.
void check_primitive_id(const link::StageView& producer, const link::StageView& consumer, Reporter& reporter);
// All stages of a pipeline in pipeline order, readable or not.
using StageList = std::vector<link::NamedStage>;
// Rules about the kinds of stages.
void check_kinds(const StageList& stages, Reporter& reporter);
// Rules about the set of stages; `stages` are the readable ones, valid or not, in pipeline order.
void check_stage_set(const std::vector<link::StageView>& stages, const StageList& all, Reporter& reporter);
// Device limits of one stage: its interfaces, execution modes, built-ins and payload.
void check_limits(const CheckedStage& stage, Reporter& reporter);
void check_sizes(const CheckedStage& stage, Reporter& reporter);
// Transform feedback of one stage.
void check_capture(const CheckedStage& stage, Reporter& reporter);

}  // namespace varylink::check
