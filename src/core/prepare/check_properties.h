// Debug builds hold the tables of steps and passes to what they say about properties of a stage.
#pragma once

#include <string_view>

#include "prepare/steps.h"

namespace varylink::prepare {

// Ends the program, with a message, if the stage does not have a property that the step needs. Nothing in other builds.
void check_needs(link::Properties has, const StepInfo& step);

// Ends the program, with a message that names `where`, if a property in `stage.properties` does not hold: the step that
// gives it would still find something to do. Nothing in other builds. The stage is left as it is.
void check_properties(const link::LinkedStage& stage, std::string_view where);

}  // namespace varylink::prepare
