#include "driver/link_pipeline.h"

#include "driver/link_group.h"
#include "link/model/name_files.h"

namespace varylink::driver {

link::GroupInput group_of(const link::PipelineInput& pipeline) {
  link::GroupInput group;
  link::GroupPipeline only{pipeline.name, {}, pipeline.state, pipeline.layout};
  for (std::size_t i = 0; i < pipeline.stages.size(); ++i) only.modules.push_back(i);
  group.modules = pipeline.stages;
  group.pipelines.push_back(std::move(only));
  return group;
}

link::LinkedPipeline link_pipeline(const link::PipelineInput& pipeline, const link::LinkOptions& options) {
  link::LinkedPipeline linked = std::move(link_group(group_of(pipeline), options).pipelines.front());
  link::name_files(linked, pipeline.stages);
  return linked;
}

}  // namespace varylink::driver
