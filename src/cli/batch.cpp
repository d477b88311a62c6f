#include "cli/batch.h"

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <memory>

namespace varylink::cli {
namespace {

// Pipelines in flight per thread: enough that a slow one at the head does not leave the others idle.
constexpr std::size_t kInFlightPerThread = 4;

}  // namespace

void link_all(std::span<const PipelineSource> sources, const LinkSettings& settings, unsigned jobs,
              const std::function<void(LinkOutcome&&)>& take) {
  const int threads = jobs == 0 ? tbb::this_task_arena::max_concurrency() : static_cast<int>(jobs);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  std::size_t next = 0;
  const auto source = [&](tbb::flow_control& control) -> std::size_t {
    if (next < sources.size()) return next++;
    control.stop();
    return 0;
  };
  const auto work = [&](std::size_t index) {
    return std::make_shared<LinkOutcome>(link_one(sources[index], settings));
  };
  const auto sink = [&](const std::shared_ptr<LinkOutcome>& outcome) { take(std::move(*outcome)); };

  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_pipeline(
        kInFlightPerThread * static_cast<std::size_t>(threads),
        tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, source) &
            tbb::make_filter<std::size_t, std::shared_ptr<LinkOutcome>>(tbb::filter_mode::parallel, work) &
            tbb::make_filter<std::shared_ptr<LinkOutcome>, void>(tbb::filter_mode::serial_in_order, sink));
  });
}

}  // namespace varylink::cli
