// What the application might say about the state of a generated pipeline.
#pragma once

#include <string>

#include "fuzz/feature_weights.h"
#include "fuzz/model.h"
#include "fuzz/random.h"
#include "state/pipeline_state.h"

namespace varylink::fuzz {

// A state that the stages of `pipeline` can be used with, and that the oracle can draw with.
state::PipelineState plan_state(Random& random, Features& features, const PipelineModel& pipeline);

// Values that all stages are given for the specialization constants that the generator declares; none more often than
// not.
spirv::SpecializationValues plan_specialization(Random& random, Features& features, const PipelineModel& pipeline);

// A pipeline layout, as JSON, that shows all buffers of the generator and one push constant range to all stages.
std::string layout_for_all_stages();

}  // namespace varylink::fuzz
