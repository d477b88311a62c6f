// --limits: linking harder until a pipeline fits into a device.
#pragma once

#include <vector>

#include "check/limits.h"
#include "cli/batch/named_options.h"

namespace varylink::cli {

// Ways that take less room than `options`, each with what the ones before it do: first those that cost code, then those
// that some drivers or applications have to take. Empty if there are none.
std::vector<NamedOptions> harder_options(const link::LinkOptions& options);

// What of a linked pipeline a device with these limits does not have, as errors that say by how much, with the names
// of the largest varyings; empty if it fits. `original` names the files.
Diagnostics beyond_limits(const link::PipelineInput& original, const link::LinkedPipeline& linked,
                          const check::Limits& limits);

}  // namespace varylink::cli
