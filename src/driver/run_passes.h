// All passes over all interfaces, from the lifted stages to where everything is placed.
#pragma once

#include <vector>

#include "link/model/link.h"
#include "passes/pass.h"

namespace varylink::driver {

// Runs what the options of `context` ask for. `links` in pipeline order, between the `stages`. What moves code runs
// when all else has come to rest; if some interface then needed more components or locations than without, in the end,
// it is taken back for all of them. Error: what run_pass reports.
Result<void> run_passes(std::vector<link::LinkedStage>& stages, std::vector<link::Link>& links,
                        passes::PassContext& context);

}  // namespace varylink::driver
