// Vulkan without linking its loader, which is opened before the first picture: a process that draws nothing needs no
// libvulkan.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan.h>

#include "base/result.h"

// Functions of the loader that we call. The loader exports all core functions, each of which finds its way to instance
// and device by its first argument.
#define VARYLINK_VULKAN_FUNCTIONS(X)          \
  X(vkAllocateCommandBuffers)                 \
  X(vkAllocateDescriptorSets)                 \
  X(vkAllocateMemory)                         \
  X(vkBeginCommandBuffer)                     \
  X(vkBindBufferMemory)                       \
  X(vkBindImageMemory)                        \
  X(vkCmdBeginRenderPass)                     \
  X(vkCmdBindDescriptorSets)                  \
  X(vkCmdBindPipeline)                        \
  X(vkCmdBindVertexBuffers)                   \
  X(vkCmdClearColorImage)                     \
  X(vkCmdClearDepthStencilImage)              \
  X(vkCmdCopyBufferToImage)                   \
  X(vkCmdCopyImageToBuffer)                   \
  X(vkCmdBlitImage)                           \
  X(vkCmdDraw)                                \
  X(vkCmdEndRenderPass)                       \
  X(vkCmdPipelineBarrier)                     \
  X(vkCmdPushConstants)                       \
  X(vkCmdSetPrimitiveTopology)                \
  X(vkCreateBuffer)                           \
  X(vkCreateBufferView)                       \
  X(vkCreateCommandPool)                      \
  X(vkCreateDescriptorPool)                   \
  X(vkCreateDescriptorSetLayout)              \
  X(vkCreateDevice)                           \
  X(vkCreateFence)                            \
  X(vkCreateFramebuffer)                      \
  X(vkCreateGraphicsPipelines)                \
  X(vkCreateImage)                            \
  X(vkCreateImageView)                        \
  X(vkCreateInstance)                         \
  X(vkCreatePipelineLayout)                   \
  X(vkCreateRenderPass)                       \
  X(vkCreateSampler)                          \
  X(vkCreateShaderModule)                     \
  X(vkDestroyBuffer)                          \
  X(vkDestroyBufferView)                      \
  X(vkDestroyCommandPool)                     \
  X(vkDestroyDescriptorPool)                  \
  X(vkDestroyDescriptorSetLayout)             \
  X(vkDestroyDevice)                          \
  X(vkDestroyFence)                           \
  X(vkDestroyFramebuffer)                     \
  X(vkDestroyImage)                           \
  X(vkDestroyImageView)                       \
  X(vkDestroyInstance)                        \
  X(vkDestroyPipeline)                        \
  X(vkDestroyPipelineLayout)                  \
  X(vkDestroyRenderPass)                      \
  X(vkDestroySampler)                         \
  X(vkDestroyShaderModule)                    \
  X(vkDeviceWaitIdle)                         \
  X(vkEndCommandBuffer)                       \
  X(vkEnumerateDeviceExtensionProperties)     \
  X(vkEnumerateInstanceLayerProperties)       \
  X(vkEnumeratePhysicalDevices)               \
  X(vkFreeMemory)                             \
  X(vkGetBufferMemoryRequirements)            \
  X(vkGetDeviceProcAddr)                      \
  X(vkGetDeviceQueue)                         \
  X(vkGetImageMemoryRequirements)             \
  X(vkGetInstanceProcAddr)                    \
  X(vkGetPhysicalDeviceFeatures2)             \
  X(vkGetPhysicalDeviceFormatProperties)      \
  X(vkGetPhysicalDeviceImageFormatProperties) \
  X(vkGetPhysicalDeviceMemoryProperties)      \
  X(vkGetPhysicalDeviceProperties)            \
  X(vkGetPhysicalDeviceProperties2)           \
  X(vkGetPhysicalDeviceQueueFamilyProperties) \
  X(vkMapMemory)                              \
  X(vkQueueSubmit)                            \
  X(vkResetFences)                            \
  X(vkUpdateDescriptorSets)                   \
  X(vkWaitForFences)

namespace varylink::verify {

#define VARYLINK_DECLARE(name) extern PFN_##name name;
VARYLINK_VULKAN_FUNCTIONS(VARYLINK_DECLARE)
#undef VARYLINK_DECLARE

// Opens the loader, if this process has not done so. Nothing above may be called before. Error (ErrorKind::usage): no
// loader, or one that is older than Vulkan 1.3.
Result<void> open_vulkan();

}  // namespace varylink::verify
