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
  link::name_files({&linked, 1}, pipeline.stages);
  return linked;
}

void add_lines(link::LinkedPipeline& linked, const link::LinkOptions& options,
               const std::function<std::optional<link::PipelineInput>()>& with_lines) {
  if (linked.failure != ErrorKind::interface_mismatch) return;
  const std::optional<link::PipelineInput> pipeline = with_lines();
  if (!pipeline) return;
  link::LinkOptions check_only = options;
  check_only.level = link::Level::check;
  link::LinkedPipeline checked = link_pipeline(*pipeline, check_only);
  if (checked.failure == linked.failure) linked.diagnostics = std::move(checked.diagnostics);
}

}  // namespace varylink::driver
