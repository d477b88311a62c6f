// --limits: whether a pipeline fits into a device.
#pragma once

#include "base/diagnostic.h"
#include "check/limits.h"
#include "link/model/pipeline.h"

namespace varylink::cli {

// Errors for each limit of the device that a linked pipeline exceeds. They say by how much, and name the largest
// varyings. Empty if the pipeline fits. `original` names the files.
Diagnostics beyond_limits(const link::PipelineInput& original, const link::LinkedPipeline& linked,
                          const check::Limits& limits);

}  // namespace varylink::cli
