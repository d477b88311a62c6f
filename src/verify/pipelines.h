// Graphics pipelines for the two sides. State is the same for both; only the modules differ.
#pragma once

#include "verify/cleanup.h"
#include "verify/targets.h"

namespace varylink::verify {

// One buffer of vertices is bound twice: record i goes to vertex i through the first binding, to instance i through the
// second.
constexpr std::uint32_t kVertexBindings = 2;

// The modules of one side, and the pipelines made from them so far.
class Pipelines {
 public:
  // `shaders` and the other objects must outlive this one.
  Pipelines(Gpu& gpu, const Needs& needs, const std::vector<Shader>& shaders, const Bindings& bindings,
            const Targets& targets)
      : gpu_(gpu), needs_(needs), shaders_(shaders), bindings_(bindings), targets_(targets) {}

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

  Gpu& gpu_;
  const Needs& needs_;
  const std::vector<Shader>& shaders_;
  const Bindings& bindings_;
  const Targets& targets_;
  Cleanup cleanup_;
  std::vector<VkShaderModule> modules_;
  std::vector<Made> made_;
};

}  // namespace varylink::verify
