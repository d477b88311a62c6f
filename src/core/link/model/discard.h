// Pipelines whose state says that no fragment stage runs.
#pragma once

#include "link/model/pipeline.h"

namespace varylink::link {

// With rasterizerDiscardEnable no fragment stage ever runs: takes it out of the pipeline, whose last outputs are then
// not read (rule ). A pipeline that has a fragment stage beside "noFragment" keeps it, and loses the promise.
// A warning says so.
Diagnostics settle_fragment_stage(PipelineInput& pipeline);

}  // namespace varylink::link
