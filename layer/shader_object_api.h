// VK_EXT_shader_object, which the headers of Debian 12 lack. Names of its own: newer headers have Vulkan's.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <cstdint>

namespace varylink::layer {

using ShaderObject = std::uint64_t;  // VkShaderEXT; calls pass it as they pass a pointer

constexpr std::uint32_t kBinaryCode = 0, kSpirvCode = 1;  // VkShaderCodeTypeEXT

namespace shader_flags {  // VkShaderCreateFlagBitsEXT
constexpr std::uint32_t kLinkStage = 0x1, kVaryingSubgroupSize = 0x2, kFullSubgroups = 0x4, kNoTaskShader = 0x8,
                        kDispatchBase = 0x10, kShadingRateAttachment = 0x20, kDensityMapAttachment = 0x40,
                        kIndirectBindable = 0x80;
}

struct ShaderCreateInfo {  // VkShaderCreateInfoEXT
  VkStructureType sType;
  const void* pNext;
  std::uint32_t flags;
  std::uint32_t stage;
  std::uint32_t next_stages;
  std::uint32_t code_type;
  std::size_t code_size;
  const void* code;
  const char* name;
  std::uint32_t set_layout_count;
  const VkDescriptorSetLayout* set_layouts;
  std::uint32_t push_constant_range_count;
  const VkPushConstantRange* push_constant_ranges;
  const VkSpecializationInfo* specialization;
};

using CreateShaders = VkResult(VKAPI_PTR*)(VkDevice device, std::uint32_t count, const ShaderCreateInfo* infos,
                                           const VkAllocationCallbacks* allocator, ShaderObject* shaders);
using DestroyShader = void(VKAPI_PTR*)(VkDevice device, ShaderObject shader, const VkAllocationCallbacks* allocator);
using GetShaderBinaryData = VkResult(VKAPI_PTR*)(VkDevice device, ShaderObject shader, std::size_t* size, void* data);

}  // namespace varylink::layer
