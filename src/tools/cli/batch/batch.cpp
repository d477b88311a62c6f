#include "cli/batch/batch.h"

#include <memory>
#include <vector>

#include "cli/batch/run_in_order.h"

namespace varylink::cli {

void link_all(std::span<const PipelineSource> sources, std::span<const std::size_t> chosen,
              const LinkSettings& settings, unsigned jobs,
              const std::function<void(std::size_t, LinkOutcome&&)>& take) {
  std::vector<std::unique_ptr<LinkOutcome>> outcomes(chosen.size());
  run_in_order(
      chosen.size(), jobs,
      [&](std::size_t index) {
        outcomes[index] = std::make_unique<LinkOutcome>(link_one(sources[chosen[index]], settings));
      },
      [&](std::size_t index) {
        take(chosen[index], std::move(*outcomes[index]));
        outcomes[index].reset();
      });
}

}  // namespace varylink::cli
