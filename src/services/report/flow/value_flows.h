// Values that the stages of a pipeline compute and send each other, before and after linking.
#pragma once

#include <vector>

#include "link/model/pipeline.h"
#include "report/flow/value_flow.h"

namespace varylink::report {

// Links the pipeline and takes down the values of each interface that is worked on, in pipeline order. Empty if the
// pipeline cannot be linked, or is passed through as it came. Costs what linking costs.
std::vector<ValueFlow> value_flows(const link::PipelineInput& pipeline, const link::LinkOptions& options);

}  // namespace varylink::report
