// The Vulkan device that all files of the oracle share. Only src/tools/verify and src/tools/meter see this header.
#pragma once

#include <memory>
#include <optional>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <vector>

#include "base/result.h"
#include "verify/vulkan.h"

namespace varylink::verify {

// The purpose of a device.
enum class Purpose {
  drawing,
  // Pipelines are made and never drawn: drivers without a device behind them do that, which have no fences.
  // Robustness features (robustBufferAccess) are off, since they make code slower.
  compiling,
};

// A feature that shaders with a capability need and the device lacks.
struct MissingFeature {
  spv::Capability capability;
  const char* name = "";  // as Vulkan spells it
};

// Optional things the device offers and that were enabled.
struct Abilities {
  VkPhysicalDeviceFeatures features{};
  bool transform_feedback = false;
  bool mesh = false;
  bool loses_mesh_components = false;      // see whole_mesh_stores.h
  bool loses_mesh_doubles = false;         // 64-bit outputs of mesh shaders come out wrong
  bool loses_mesh_array_gaps = false;      // see mesh_array_gaps.h
  bool leaves_mesh_targets_empty = false;  // some, where a mesh pipeline draws to targets of several formats
  bool multiview = false;
  bool dynamic_topology = false;  // one pipeline draws triangles, lines and points; only for drawing
  bool statistics = false;        // VK_KHR_pipeline_executable_properties
  std::uint32_t xfb_buffers = 0;
  std::vector<MissingFeature> missing;
  VkSampleCountFlags sample_counts = VK_SAMPLE_COUNT_1_BIT;  // of float, integer and depth targets alike
};

// Owner of instance, device, queue and the one command buffer. Everything else that Vulkan makes is destroyed before.
struct Gpu {
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t queue_family = 0;
  VkCommandPool command_pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;

  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceMemoryProperties memory{};
  Abilities abilities;
  std::string description;
  std::vector<std::string> validation_messages;  // filled by the layer, emptied by whoever reports them

  PFN_vkCmdBindTransformFeedbackBuffersEXT bind_xfb_buffers = nullptr;
  PFN_vkCmdBeginTransformFeedbackEXT begin_xfb = nullptr;
  PFN_vkCmdEndTransformFeedbackEXT end_xfb = nullptr;
  PFN_vkCmdDrawMeshTasksEXT draw_mesh_tasks = nullptr;
  PFN_vkGetPipelineExecutablePropertiesKHR get_executables = nullptr;
  PFN_vkGetPipelineExecutableStatisticsKHR get_statistics = nullptr;

  Gpu() = default;
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  ~Gpu();

  // Starts recording into `commands`.
  Result<void> begin();
  // Ends recording, submits and waits. Error: the device was lost or hung for 20 s.
  Result<void> submit_and_wait();

 private:
  VkResult wait() const;
};

// Creates everything in Gpu; for compiling, no queue, commands or fence. Error (ErrorKind::usage): no loader, driver or
// suitable device.
Result<std::unique_ptr<Gpu>> create_gpu(Purpose purpose);

// Picks the first graphics queue family of `physical`; none if it has none.
std::optional<std::uint32_t> graphics_queue_family(VkPhysicalDevice physical);

// Creates gpu.device with every feature and useful extension that gpu.physical has, and fills gpu.abilities.
VkResult create_device(Gpu& gpu, Purpose purpose);

// "vkCreateImage: out of device memory" as a Diagnostic.
Diagnostic vulkan_error(const char* what, VkResult result);

}  // namespace varylink::verify
