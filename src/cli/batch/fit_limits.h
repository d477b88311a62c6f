// --limits: whether a pipeline fits into a device.
#pragma once

#include "base/diagnostic.h"
#include "check/limits.h"
#include "link/model/pipeline.h"

namespace varylink::cli {

// What of a linked pipeline a device with these limits does not have, as errors that say by how much, with the names
// of the largest varyings; empty if it fits. `original` names the files.
Diagnostics beyond_limits(const link::PipelineInput& original, const link::LinkedPipeline& linked,
                          const check::Limits& limits);

}  // namespace varylink::cli
