// Descriptor set layouts and the pipeline layout that both pipelines share.
#pragma once

#include <memory>
#include <vector>

#include "verify/cleanup.h"
#include "verify/needs.h"

namespace varylink::verify {

class Layouts {
 public:
  // `gpu` must outlive the result.
  static Result<std::unique_ptr<Layouts>> create(const Gpu& gpu, const Needs& needs);

  VkPipelineLayout pipeline() const { return pipeline_; }
  // One for each set up to the last that is used.
  const std::vector<VkDescriptorSetLayout>& sets() const { return sets_; }

 private:
  explicit Layouts(const Gpu& gpu) : gpu_(gpu) {}
  Result<void> add_set(const std::vector<VkDescriptorSetLayoutBinding>& bindings);
  Result<void> create_pipeline_layout(const Needs& needs);

  const Gpu& gpu_;
  Cleanup cleanup_;
  std::vector<VkDescriptorSetLayout> sets_;
  VkPipelineLayout pipeline_ = VK_NULL_HANDLE;
};

VkDescriptorType descriptor_type(ResourceKind kind);

// Shader stages that see every binding.
VkShaderStageFlags all_stages(const Gpu& gpu);

// Bytes of the one range of push constants.
std::uint32_t push_constant_size(const Needs& needs);

}  // namespace varylink::verify
