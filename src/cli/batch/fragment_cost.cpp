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

std::vector<NamedOptions> gentler_options(const link::LinkOptions& options) {
  std::vector<NamedOptions> ways;
  const auto add = [&](std::string name, const auto& change) {
    ways.push_back({std::move(name), ways.empty() ? options : ways.back().options});
    change(ways.back().options);
  };
  const bool has_levels = options.passes.empty();
  add("a quarter of the uniform expressions' limit", [](link::LinkOptions& each) { each.profile.uniform_limit /= 4; });
  add("no uniform expressions", [](link::LinkOptions& each) { each.profile.uniform_limit = 0; });
  if (has_levels && options.level > link::Level::exact)
    add("-O1", [](link::LinkOptions& each) { each.level = link::Level::exact; });
  add("-O0", [](link::LinkOptions& each) {
    each.level = link::Level::check;
    each.passes.clear();
  });
  return ways;
}

std::optional<double> fragment_cost(const link::PipelineInput& original, const link::LinkedPipeline& linked,
                                    const link::LinkOptions& options, const ResultStores& stores) {
  if (linked.failure != ErrorKind::none) return std::nullopt;
  const auto before = cost_in(original.stages, options.profile, stores);
  const auto after = cost_in(linked_stages(linked, original), options.profile, stores);
  if (!before || !after) return std::nullopt;
  return before->slots == after->slots ? 100.0 : 100.0 * after->slots / std::max(1u, before->slots);
}

}  // namespace varylink::cli
