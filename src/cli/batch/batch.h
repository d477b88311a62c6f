// Many pipelines at a time.
#pragma once

#include <functional>
#include <span>

#include "cli/batch/link_one.h"

namespace varylink::cli {

// Calls work(i) for every i below `count` on up to `jobs` threads (0: one per processor), and take(i) once work(i) is
// done, one at a time and in order, whatever the number of threads. Work runs ahead of take by a few items only.
void run_in_order(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& take);

// Links the pipelines, each alone, on up to `jobs` threads and hands each outcome to `take`, one at a time and in the
// order of `sources`.
void link_all(std::span<const PipelineSource> sources, const LinkSettings& settings, unsigned jobs,
              const std::function<void(LinkOutcome&&)>& take);

}  // namespace varylink::cli
