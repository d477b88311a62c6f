// Many pipelines at a time.
#pragma once

#include <functional>
#include <span>

#include "cli/batch/link_one.h"

namespace varylink::cli {

// Links the pipelines, each alone, on up to `jobs` threads and hands each outcome to `take`, one at a time and in the
// order of `sources`.
void link_all(std::span<const PipelineSource> sources, const LinkSettings& settings, unsigned jobs,
              const std::function<void(LinkOutcome&&)>& take);

}  // namespace varylink::cli
