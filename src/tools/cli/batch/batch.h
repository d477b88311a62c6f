// Many pipelines at a time.
#pragma once

#include <functional>
#include <span>

#include "cli/batch/link_one.h"

namespace varylink::cli {

// Links those of the pipelines whose positions are `chosen`, each alone, on up to `jobs` threads and hands each outcome
// to `take` with its position, one at a time and in the order of `chosen`.
void link_all(std::span<const PipelineSource> sources, std::span<const std::size_t> chosen,
              const LinkSettings& settings, unsigned jobs, const std::function<void(std::size_t, LinkOutcome&&)>& take);

}  // namespace varylink::cli
