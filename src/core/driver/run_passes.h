// All passes over all interfaces, from the scalarized stages to where everything is placed.
#pragma once

#include <vector>

#include "link/model/link.h"
#include "passes/pass.h"

namespace varylink::driver {

// Runs the passes that the options of `context` ask for, level by level (rule ). `links` in pipeline order.
// Passes that move code run once no other pass changes anything.
// Error: that of run_pass.
Result<void> run_passes(const std::vector<link::Link*>& links, passes::PassContext& context);

}  // namespace varylink::driver
