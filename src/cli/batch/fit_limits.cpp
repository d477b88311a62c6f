#include "cli/batch/fit_limits.h"

#include "check/check.h"
#include "cli/settings/picture_check.h"

namespace varylink::cli {
namespace {

constexpr double kWhateverItCosts = 1e9;

// A varying is worth any amount of code.
void make_code_free(analysis::CostProfile& profile) {
  profile.uniform_limit = kWhateverItCosts;
  profile.fragments_per_vertex = kWhateverItCosts;
  for (analysis::ClassCost& each : profile.classes) each.cost = 0;
}

}  // namespace

std::vector<NamedOptions> harder_options(const link::LinkOptions& options) {
  std::vector<NamedOptions> ways;
  const auto add = [&](std::string name, const auto& change) {
    ways.push_back({std::move(name), ways.empty() ? options : ways.back().options});
    change(ways.back().options);
  };
  const bool has_levels = options.passes.empty();
  if (has_levels && options.level < link::Level::motion)
    add("-O2", [](link::LinkOptions& each) { each.level = link::Level::motion; });
  add("code whatever it costs", [](link::LinkOptions& each) { make_code_free(each.profile); });
  if (has_levels && !options.moves_discontinuous())
    add("-O3", [](link::LinkOptions& each) { each.level = link::Level::discontinuous; });
  if (!options.strip_unused_attributes)
    add("--strip-unused-attributes", [](link::LinkOptions& each) { each.strip_unused_attributes = true; });
  if (!options.pack_beside_arrays && !options.portable)
    add("--pack-beside-arrays", [](link::LinkOptions& each) { each.pack_beside_arrays = true; });
  return ways;
}

Diagnostics beyond_limits(const link::PipelineInput& original, const link::LinkedPipeline& linked,
                          const check::Limits& limits) {
  check::CheckOptions options;
  options.limits = limits;
  std::vector<link::StageInput> stages = linked_stages(linked, original);
  for (link::StageInput& stage : stages)
    for (const link::StageInput& from : original.stages)
      if (from.stage == stage.stage) stage.file = from.file;
  Diagnostics beyond;
  for (check::Issue& issue : check::exceeded_limits(stages, options)) beyond.push_back(std::move(issue.diagnostic));
  return beyond;
}

}  // namespace varylink::cli
