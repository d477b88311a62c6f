#include "cli/batch/fit_limits.h"

#include "check/check.h"
#include "cli/settings/picture_check.h"

namespace varylink::cli {

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
