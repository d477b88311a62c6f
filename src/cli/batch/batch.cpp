#include "cli/batch/batch.h"

#include <optional>
#include <vector>

#include "cli/batch/run_in_order.h"

namespace varylink::cli {

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
