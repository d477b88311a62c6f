// All passes over all interfaces, from the scalarized stages to where everything is placed.
#pragma once

#include <vector>

#include "link/model/link.h"
#include "passes/pass.h"

namespace varylink::driver {

// Runs what the options of `context` ask for, level by level (rule ). `links` in pipeline order. What moves code
// runs when all else has come to rest.
// Error: what run_pass reports.
Result<void> run_passes(const std::vector<link::Link*>& links, passes::PassContext& context);

}  // namespace varylink::driver
