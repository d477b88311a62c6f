#include "cli/batch/batch.h"

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <optional>
#include <vector>

namespace varylink::cli {
namespace {

// Items in flight per thread: enough that a slow one at the head does not leave the others idle.
constexpr std::size_t kInFlightPerThread = 4;

}  // namespace

void run_in_order(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& take) {
  const int threads = jobs == 0 ? tbb::this_task_arena::max_concurrency() : static_cast<int>(jobs);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  std::size_t next = 0;
  const auto source = [&](tbb::flow_control& control) -> std::size_t {
    if (next < count) return next++;
    control.stop();
    return 0;
  };
  const auto middle = [&](std::size_t index) {
    work(index);
    return index;
  };

  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_pipeline(kInFlightPerThread * static_cast<std::size_t>(threads),
                           tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, source) &
                               tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel, middle) &
                               tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order, take));
  });
}

void link_all(std::span<const PipelineSource> sources, const LinkSettings& settings, unsigned jobs,
              const std::function<void(LinkOutcome&&)>& take) {
  std::vector<std::optional<LinkOutcome>> outcomes(sources.size());
  run_in_order(
      sources.size(), jobs, [&](std::size_t index) { outcomes[index] = link_one(sources[index], settings); },
      [&](std::size_t index) {
        take(std::move(*outcomes[index]));
        outcomes[index].reset();
      });
}

}  // namespace varylink::cli
