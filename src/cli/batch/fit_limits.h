// --limits: linking harder until a pipeline fits into a device.
#pragma once

#include <string>
#include <vector>

#include "check/limits.h"
#include "link/model/pipeline.h"

namespace varylink::cli {

// A way to link, and what it is called: "-O3", "--pack-beside-arrays".
struct HarderOptions {
  std::string name;
  link::LinkOptions options;
};

// Ways that take less room than `options`, each with what the ones before it do: first those that cost code, then those
// that some drivers or applications have to take. Empty if there are none.
std::vector<HarderOptions> harder_options(const link::LinkOptions& options);

// What of a linked pipeline a device with these limits does not have, as errors that say by how much, with the names
// of the largest varyings; empty if it fits. `original` names the files.
Diagnostics beyond_limits(const link::PipelineInput& original, const link::LinkedPipeline& linked,
                          const check::Limits& limits);

}  // namespace varylink::cli
