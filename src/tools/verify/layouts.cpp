#include "verify/layouts.h"

#include <map>

namespace varylink::verify {

VkDescriptorType descriptor_type(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::uniform_buffer: return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    case ResourceKind::storage_buffer: return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    case ResourceKind::sampler: return VK_DESCRIPTOR_TYPE_SAMPLER;
    case ResourceKind::combined_image_sampler: return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    case ResourceKind::sampled_image: return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    case ResourceKind::storage_image: return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    case ResourceKind::uniform_texel_buffer: return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    case ResourceKind::storage_texel_buffer: return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    default: return VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  }
}

VkShaderStageFlags all_stages(const Gpu& gpu) {
  VkShaderStageFlags flags = VK_SHADER_STAGE_ALL_GRAPHICS;
  if (gpu.abilities.mesh) flags |= VK_SHADER_STAGE_MESH_BIT_EXT | VK_SHADER_STAGE_TASK_BIT_EXT;
  return flags;
}

std::uint32_t push_constant_size(const Needs& needs) { return (needs.push_constants.size + 3) / 4 * 4; }

Result<std::unique_ptr<Layouts>> Layouts::create(const Gpu& gpu, const Needs& needs) {
  std::unique_ptr<Layouts> result(new Layouts(gpu));
  std::map<std::uint32_t, std::vector<VkDescriptorSetLayoutBinding>> by_set;
  for (const Resource& resource : needs.resources)
    by_set[resource.set].push_back(
        {resource.binding, descriptor_type(resource.kind), resource.count, all_stages(gpu), nullptr});
  const std::uint32_t count = by_set.empty() ? 0 : by_set.rbegin()->first + 1;
  for (std::uint32_t set = 0; set < count; ++set)
    if (const Result<void> added = result->add_set(by_set[set]); !added) return added.error();
  if (const Result<void> made = result->create_pipeline_layout(needs); !made) return made.error();
  return result;
}

Result<void> Layouts::add_set(const std::vector<VkDescriptorSetLayoutBinding>& bindings) {
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = static_cast<std::uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  if (const VkResult result = vkCreateDescriptorSetLayout(gpu_.device, &info, nullptr, &layout))
    return vulkan_error("descriptor set layout", result);
  cleanup_.add([device = gpu_.device, layout] { vkDestroyDescriptorSetLayout(device, layout, nullptr); });
  sets_.push_back(layout);
  return {};
}

Result<void> Layouts::create_pipeline_layout(const Needs& needs) {
  const VkPushConstantRange range{all_stages(gpu_), 0, push_constant_size(needs)};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = static_cast<std::uint32_t>(sets_.size());
  info.pSetLayouts = sets_.data();
  info.pushConstantRangeCount = range.size > 0 ? 1 : 0;
  info.pPushConstantRanges = &range;
  if (const VkResult result = vkCreatePipelineLayout(gpu_.device, &info, nullptr, &pipeline_))
    return vulkan_error("pipeline layout", result);
  cleanup_.add([device = gpu_.device, layout = pipeline_] { vkDestroyPipelineLayout(device, layout, nullptr); });
  return {};
}

}  // namespace varylink::verify
