#include "cli/batch/fragment_cost.h"

#include <algorithm>

#include "cli/settings/picture_check.h"

namespace varylink::cli {
namespace {

std::optional<analysis::StageCost> cost_in(const std::vector<link::StageInput>& stages,
                                           const analysis::CostProfile& profile, const ResultStores& stores) {
  const auto found =
      std::find_if(stages.begin(), stages.end(), [](const auto& each) { return each.stage == Stage::fragment; });
  return found == stages.end() ? std::nullopt : cost_by_cache(*found, profile, stores);
}

}  // namespace

std::optional<double> fragment_cost(const link::PipelineInput& original, const link::LinkedPipeline& linked,
                                    const link::LinkOptions& options, const ResultStores& stores) {
  if (linked.failure != ErrorKind::none) return std::nullopt;
  const auto before = cost_in(original.stages, options.profile, stores);
  const auto after = cost_in(linked_stages(linked, original), options.profile, stores);
  if (!before || !after) return std::nullopt;
  return before->slots == after->slots ? 100.0 : 100.0 * after->slots / std::max(1u, before->slots);
}

}  // namespace varylink::cli
