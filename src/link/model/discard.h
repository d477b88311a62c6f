// Pipelines that rasterize nothing.
#pragma once

#include "link/model/pipeline.h"

namespace varylink::link {

// With rasterizerDiscardEnable no fragment stage ever runs: takes it out of the pipeline, whose last outputs are then
// not read (rule ). A warning says so if there was one.
Diagnostics leave_out_discarded(PipelineInput& pipeline);

}  // namespace varylink::link
