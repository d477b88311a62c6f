// Many pipelines at a time.
#pragma once

#include <functional>
#include <span>

#include "cli/link_one.h"

namespace varylink::cli {

// Links the pipelines on up to `jobs` threads (0: one per processor) and hands each outcome to `take`, one at a time
// and in the order of `sources`, whatever the number of threads.
void link_all(std::span<const PipelineSource> sources, const LinkSettings& settings, unsigned jobs,
              const std::function<void(LinkOutcome&&)>& take);

}  // namespace varylink::cli
