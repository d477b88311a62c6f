// What the application might say about the state of a generated pipeline.
#pragma once

#include "analysis/pipeline_state.h"
#include "fuzz/feature_weights.h"
#include "fuzz/model.h"
#include "fuzz/random.h"

namespace varylink::fuzz {

// A state that the stages of `pipeline` can be used with, and that the oracle can draw with.
analysis::PipelineState plan_state(Random& random, Features& features, const PipelineModel& pipeline);

}  // namespace varylink::fuzz
