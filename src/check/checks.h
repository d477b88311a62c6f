// The groups of rules that check_pipeline runs.
#pragma once

#include <vector>

#include "check/reporter.h"
#include "link/conformance/interface_model.h"

namespace varylink::check {

// Both interfaces of one stage. A stage without a user-defined interface in a direction has an empty model there.
struct CheckedStage {
  explicit CheckedStage(const link::StageView& stage)
      : view(stage), inputs(stage, varyings::Direction::input), outputs(stage, varyings::Direction::output) {}

  link::StageView view;
  link::InterfaceModel inputs, outputs;
};

// What holds for one module alone.
void check_stage(const CheckedStage& stage, Reporter& reporter);
// What the variables of its interfaces hold.
void check_types(const CheckedStage& stage, Reporter& reporter);
// What its code does.
void check_code(const CheckedStage& stage, Reporter& reporter);
// What holds between a stage and the next one.
void check_stages(const CheckedStage& producer, const CheckedStage& consumer, Reporter& reporter);
// All stages of a pipeline in pipeline order, readable or not.
using StageList = std::vector<const link::StageInput*>;
// What holds for the set of stages; `stages` are those that can be read, valid or not, in pipeline order.
void check_stage_set(const std::vector<link::StageView>& stages, const StageList& all, Reporter& reporter);
// Device limits of one stage: what crosses its interfaces, and what its execution modes, built-ins and payload ask for.
void check_limits(const CheckedStage& stage, Reporter& reporter);
void check_sizes(const CheckedStage& stage, Reporter& reporter);
// Transform feedback of one stage.
void check_capture(const CheckedStage& stage, Reporter& reporter);

}  // namespace varylink::check
