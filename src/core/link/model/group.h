// Pipelines that share modules, as the linker receives and returns them. Every module stays one module, whose result is
// right in each pipeline that uses it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "link/model/pipeline.h"

namespace varylink::link {

struct GroupPipeline {
  std::string name;
  std::vector<std::size_t> modules;  // positions in GroupInput::modules, any order, at most one per stage
  state::PipelineState state;
  std::optional<PipelineLayout> layout = {};  // none: that of the options
};

struct GroupInput {
  std::vector<StageInput> modules;
  std::vector<GroupPipeline> pipelines;
};

struct LinkedGroup {
  // By module: the linked words; empty if every pipeline that uses the module failed.
  std::vector<std::vector<std::uint32_t>> modules;
  // By pipeline; `stages` is filled as for a pipeline that was linked alone.
  std::vector<LinkedPipeline> pipelines;
};

// The layout that all pipelines have in common; `otherwise` is that of a pipeline without one. None if a pipeline has
// none.
std::optional<PipelineLayout> common_layout(const GroupInput& group, const std::optional<PipelineLayout>& otherwise);

// The frozen specialization constants of the pipeline's modules.
std::map<Stage, spirv::SpecializationValues> frozen_constants(const GroupInput& group, const GroupPipeline& pipeline);

}  // namespace varylink::link
