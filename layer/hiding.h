// What a program is not to see of a device, so that it makes its pipelines whole (the setting hide_libraries).
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>

namespace varylink::layer {

// vkEnumerateDeviceExtensionProperties without pipeline libraries for graphics, shader objects, module identifiers and
// pipeline binaries.
VkResult extensions_without_libraries(PFN_vkEnumerateDeviceExtensionProperties next, VkPhysicalDevice device,
                                      std::uint32_t* count, VkExtensionProperties* properties);

// Takes back these features in a chain that the driver has filled.
void hide_library_features(VkPhysicalDeviceFeatures2& features);

}  // namespace varylink::layer
