// All passes over all interfaces, from the lifted stages to where everything is placed.
#pragma once

#include <vector>

#include "link/model/link.h"
#include "passes/pass.h"

namespace varylink::driver {

// Runs what the options of `context` ask for. `links` in pipeline order. What moves code runs when all else has
// come to rest; it is taken back for interfaces that would need more components or locations than without, in the end.
// Error: what run_pass reports.
Result<void> run_passes(const std::vector<link::Link*>& links, passes::PassContext& context);

}  // namespace varylink::driver
