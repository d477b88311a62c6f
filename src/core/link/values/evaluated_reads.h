// Reads of variables of the interface whose values a stage evaluates itself.
#pragma once

#include <map>
#include <vector>

#include "graph/value.h"
#include "link/model/linked_stage.h"

namespace varylink::link {

// Computes the values, by the variable that is read, at the start of the entry point and gives them to all loads of the
// variables. `keeps_rounding`: by id of the load (rule ). False: the stage lacks an operand of some value, and is
// of no use any more.
bool evaluate_reads(LinkedStage& stage, const graph::ValueGraph& graph,
                    const std::map<spirv::Id, graph::ValueId>& values, const std::vector<bool>& keeps_rounding);

}  // namespace varylink::link
