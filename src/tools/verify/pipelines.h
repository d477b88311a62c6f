// Graphics pipelines for the two sides. State is the same for both; only the modules differ.
#pragma once

#include "verify/cleanup.h"
#include "verify/strategy.h"

namespace varylink::verify {

// One buffer of vertices is bound twice: record i goes to vertex i through the first binding, to instance i through the
// second.
constexpr std::uint32_t kVertexBindings = 2;

// The target that pipelines are made for. The handles must outlive the pipelines.
struct PipelineTarget {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkRenderPass render_pass = VK_NULL_HANDLE;
  VkExtent2D extent{};
  VkPipelineCreateFlags flags = 0;
};

// The modules of one side, and the pipelines made from them so far.
class Pipelines {
 public:
  // All of them must outlive this object.
  Pipelines(const Gpu& gpu, const Needs& needs, const std::vector<Shader>& shaders, const PipelineTarget& target)
      : gpu_(gpu), needs_(needs), shaders_(shaders), target_(target) {}

  // The pipeline for this strategy's topology and specialization; made at the first call. If topology_is_dynamic(), the
  // topology has to be set while recording.
  Result<VkPipeline> get(const Strategy& strategy);

  bool topology_is_dynamic() const { return gpu_.abilities.dynamic_topology && !needs_.topology; }

 private:
  struct Made {
    VkPrimitiveTopology topology;
    SpecValues spec_values;
    VkPipeline pipeline;
  };
  Result<void> create_modules();
  Result<VkPipeline> create(const Strategy& strategy);

  const Gpu& gpu_;
  const Needs& needs_;
  const std::vector<Shader>& shaders_;
  PipelineTarget target_;
  Cleanup cleanup_;
  std::vector<VkShaderModule> modules_;
  std::vector<Made> made_;
};

}  // namespace varylink::verify
