#include "target.h"

#include <algorithm>
#include <string_view>

#include "chain.h"
#include "formats/created_pipeline.h"

namespace varylink::layer {
namespace {

bool enables(const VkDeviceCreateInfo& device, std::string_view extension) {
  const char* const* names = device.ppEnabledExtensionNames;
  return std::any_of(names, names + device.enabledExtensionCount, [&](const char* name) { return name == extension; });
}

// A feature of `Alone`, which may also stand in the structure of a version.
template <typename Alone, typename OfVersion>
bool has_feature(const VkDeviceCreateInfo& device, VkStructureType alone_type, VkBool32 Alone::*alone,
                 VkStructureType version_type, VkBool32 OfVersion::*of_version) {
  const auto* single = find_in_chain<Alone>(device.pNext, alone_type);
  const auto* version = find_in_chain<OfVersion>(device.pNext, version_type);
  return (single != nullptr && single->*alone != VK_FALSE) || (version != nullptr && version->*of_version != VK_FALSE);
}

varylink_target_env to_c(spirv::TargetEnv env) {
  switch (env) {
    case spirv::TargetEnv::vulkan1_0: return VARYLINK_TARGET_ENV_VULKAN_1_0;
    case spirv::TargetEnv::vulkan1_1: return VARYLINK_TARGET_ENV_VULKAN_1_1;
    case spirv::TargetEnv::vulkan1_1_spirv1_4: return VARYLINK_TARGET_ENV_VULKAN_1_1_SPIRV_1_4;
    case spirv::TargetEnv::vulkan1_2: return VARYLINK_TARGET_ENV_VULKAN_1_2;
    case spirv::TargetEnv::vulkan1_3: return VARYLINK_TARGET_ENV_VULKAN_1_3;
    case spirv::TargetEnv::vulkan1_4: return VARYLINK_TARGET_ENV_VULKAN_1_4;
  }
  return VARYLINK_TARGET_ENV_DEFAULT;
}

}  // namespace

Target target_of(std::uint32_t api_version, const VkDeviceCreateInfo& device) {
  Target target;
  target.env = to_c(formats::environment_of(api_version, enables(device, VK_KHR_SPIRV_1_4_EXTENSION_NAME)));
  const auto add = [&](bool is_on, std::uint32_t flag) { target.layout_flags |= is_on ? flag : 0; };
  add(has_feature(device, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
                  &VkPhysicalDeviceScalarBlockLayoutFeatures::scalarBlockLayout,
                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                  &VkPhysicalDeviceVulkan12Features::scalarBlockLayout),
      VARYLINK_LAYOUT_SCALAR_BLOCK);
  add(has_feature(device, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES,
                  &VkPhysicalDeviceUniformBufferStandardLayoutFeatures::uniformBufferStandardLayout,
                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                  &VkPhysicalDeviceVulkan12Features::uniformBufferStandardLayout),
      VARYLINK_LAYOUT_UNIFORM_BUFFER_STANDARD);
  add(has_feature(device, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
                  &VkPhysicalDeviceMaintenance4Features::maintenance4,
                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                  &VkPhysicalDeviceVulkan13Features::maintenance4),
      VARYLINK_LAYOUT_ALLOW_LOCALSIZEID);
  add(enables(device, VK_KHR_RELAXED_BLOCK_LAYOUT_EXTENSION_NAME), VARYLINK_LAYOUT_RELAX_BLOCK);
  return target;
}

}  // namespace varylink::layer
