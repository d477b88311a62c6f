// The cost of a stage on the abstract GPU of a cost profile.
#pragma once

#include <optional>

#include "analysis/schedule.h"
#include "link/model/pipeline.h"

namespace varylink::driver {

// Measures one stage, original or linked, after simplifications that every compiler makes: calls inlined, local
// variables as values, constants folded. None if the module does not read or is of a kind that is not worked on (see
// reason_to_leave_alone).
std::optional<analysis::StageCost> stage_cost(const link::StageInput& stage, const analysis::CostProfile& profile);

}  // namespace varylink::driver
