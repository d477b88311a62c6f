#include "link/model/group.h"

namespace varylink::link {

std::optional<PipelineLayout> common_layout(const GroupInput& group, const std::optional<PipelineLayout>& otherwise) {
  std::optional<PipelineLayout> all;
  for (const GroupPipeline& pipeline : group.pipelines) {
    const std::optional<PipelineLayout>& own = pipeline.layout ? pipeline.layout : otherwise;
    if (!own) return std::nullopt;
    all = all ? common(*all, *own) : *own;
  }
  return all;
}

std::map<Stage, spirv::SpecializationValues> frozen_constants(const GroupInput& group, const GroupPipeline& pipeline) {
  std::map<Stage, spirv::SpecializationValues> frozen;
  for (const std::size_t module : pipeline.modules)
    if (const StageInput& stage = group.modules[module]; !stage.specialization.empty())
      frozen[stage.stage] = stage.specialization;
  return frozen;
}

}  // namespace varylink::link
