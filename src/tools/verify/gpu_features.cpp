// Device creation. Every feature the device has is enabled: the oracle must run whatever a shader may ask for.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>

#include "verify/gpu.h"

namespace varylink::verify {
namespace {

// Extensions that let a shader do more, with the feature structure that switches them on (0: none). A structure is
// only chained when its extension (or the core version that took it up) is there.
struct Extension {
  const char* name;
  VkStructureType feature_struct;
  std::size_t size;
};

template <typename T>
constexpr Extension extension(const char* name, VkStructureType type) {
  return {name, type, sizeof(T)};
}

const Extension kExtensions[] = {
    extension<VkPhysicalDeviceTransformFeedbackFeaturesEXT>(
        VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT),
    extension<VkPhysicalDeviceMeshShaderFeaturesEXT>(VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT),
    extension<VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR>(
        VK_KHR_FRAGMENT_SHADER_BARYCENTRIC_EXTENSION_NAME,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_BARYCENTRIC_FEATURES_KHR),
    extension<VkPhysicalDeviceShaderAtomicFloatFeaturesEXT>(
        VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT),
    extension<VkPhysicalDeviceShaderClockFeaturesKHR>(VK_KHR_SHADER_CLOCK_EXTENSION_NAME,
                                                      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR),
    extension<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR>(
        VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR),
    extension<VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT>(
        VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT),
    {VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME, VK_STRUCTURE_TYPE_MAX_ENUM, 0},
    {VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME, VK_STRUCTURE_TYPE_MAX_ENUM, 0},
    {VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME, VK_STRUCTURE_TYPE_MAX_ENUM, 0},
    {VK_EXT_POST_DEPTH_COVERAGE_EXTENSION_NAME, VK_STRUCTURE_TYPE_MAX_ENUM, 0},
    {VK_GOOGLE_DECORATE_STRING_EXTENSION_NAME, VK_STRUCTURE_TYPE_MAX_ENUM, 0},
    {VK_GOOGLE_HLSL_FUNCTIONALITY_1_EXTENSION_NAME, VK_STRUCTURE_TYPE_MAX_ENUM, 0},
    {VK_GOOGLE_USER_TYPE_EXTENSION_NAME, VK_STRUCTURE_TYPE_MAX_ENUM, 0},
    {VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME, VK_STRUCTURE_TYPE_MAX_ENUM, 0},
};

// Feature structures of the core versions above 1.1, with the version that brought them.
struct CoreFeatures {
  std::uint32_t version;
  VkStructureType type;
  std::size_t size;
};
const CoreFeatures kCoreFeatures[] = {
    {VK_API_VERSION_1_2, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
     sizeof(VkPhysicalDeviceVulkan11Features)},
    {VK_API_VERSION_1_2, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
     sizeof(VkPhysicalDeviceVulkan12Features)},
    {VK_API_VERSION_1_3, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
     sizeof(VkPhysicalDeviceVulkan13Features)},
};

// A pNext chain of zeroed structures that vkGetPhysicalDeviceFeatures2 fills and vkCreateDevice takes as it is.
class FeatureChain {
 public:
  FeatureChain() { head_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2; }

  void add(VkStructureType type, std::size_t size) {
    storage_.push_back(std::make_unique<std::max_align_t[]>(size / sizeof(std::max_align_t) + 1));
    auto* link = reinterpret_cast<VkBaseOutStructure*>(storage_.back().get());
    std::memset(link, 0, size);
    link->sType = type;
    link->pNext = static_cast<VkBaseOutStructure*>(head_.pNext);
    head_.pNext = link;
  }
  template <typename T>
  T* find(VkStructureType type) {
    for (auto* link = static_cast<VkBaseOutStructure*>(head_.pNext); link != nullptr; link = link->pNext)
      if (link->sType == type) return reinterpret_cast<T*>(link);
    return nullptr;
  }
  VkPhysicalDeviceFeatures2& head() { return head_; }

 private:
  VkPhysicalDeviceFeatures2 head_{};
  std::deque<std::unique_ptr<std::max_align_t[]>> storage_;
};

std::vector<VkExtensionProperties> device_extensions(VkPhysicalDevice physical) {
  std::uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, extensions.data());
  return extensions;
}

// Sub-features that other features must accompany or that only cost time.
void drop_unwanted(FeatureChain& chain, Purpose purpose) {
  if (purpose == Purpose::compiling) {
    chain.head().features.robustBufferAccess = VK_FALSE;
    if (auto* core =
            chain.find<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES))
      core->robustImageAccess = VK_FALSE;
  }
  if (auto* mesh = chain.find<VkPhysicalDeviceMeshShaderFeaturesEXT>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT)) {
    mesh->primitiveFragmentShadingRateMeshShader = VK_FALSE;  // needs VK_KHR_fragment_shading_rate
    mesh->multiviewMeshShader = VK_FALSE;                     // needs more than we ask for on some drivers
  }
}

// Core since 1.3; whether the class of the topology may change as well, a property of the extension tells.
bool has_dynamic_topology(const Gpu& gpu, const std::vector<const char*>& extensions) {
  const auto enabled = [](const char* name) {
    return std::strcmp(name, VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME) == 0;
  };
  if (gpu.properties.apiVersion < VK_API_VERSION_1_3 || std::none_of(extensions.begin(), extensions.end(), enabled))
    return false;
  VkPhysicalDeviceExtendedDynamicState3PropertiesEXT dynamic{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  properties.pNext = &dynamic;
  vkGetPhysicalDeviceProperties2(gpu.physical, &properties);
  return dynamic.dynamicPrimitiveTopologyUnrestricted == VK_TRUE;
}

// Of arithmetic and of varyings; drivers compile shaders that use others, too, and draw something or crash.
std::vector<MissingFeature> missing_features(FeatureChain& chain) {
  const VkPhysicalDeviceFeatures& core = chain.head().features;
  const auto* core11 =
      chain.find<VkPhysicalDeviceVulkan11Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  const auto* core12 =
      chain.find<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  const std::pair<MissingFeature, VkBool32> known[] = {
      {{spv::Capability::Float64, "shaderFloat64"}, core.shaderFloat64},
      {{spv::Capability::Int64, "shaderInt64"}, core.shaderInt64},
      {{spv::Capability::Int16, "shaderInt16"}, core.shaderInt16},
      {{spv::Capability::StorageInputOutput16, "storageInputOutput16"}, core11 && core11->storageInputOutput16},
      {{spv::Capability::Float16, "shaderFloat16"}, core12 && core12->shaderFloat16},
      {{spv::Capability::Int8, "shaderInt8"}, core12 && core12->shaderInt8},
  };
  std::vector<MissingFeature> missing;
  for (const auto& [feature, is_present] : known)
    if (is_present == VK_FALSE) missing.push_back(feature);
  return missing;
}

void note_abilities(Gpu& gpu, FeatureChain& chain) {
  Abilities& abilities = gpu.abilities;
  abilities.features = chain.head().features;
  abilities.missing = missing_features(chain);
  const VkPhysicalDeviceLimits& limits = gpu.properties.limits;
  abilities.sample_counts = limits.framebufferColorSampleCounts & limits.framebufferDepthSampleCounts;
  if (const auto* core =
          chain.find<VkPhysicalDeviceVulkan11Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES))
    abilities.multiview = core->multiview == VK_TRUE;
  if (const auto* mesh =
          chain.find<VkPhysicalDeviceMeshShaderFeaturesEXT>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT))
    abilities.mesh = mesh->meshShader == VK_TRUE;
  const auto* executables = chain.find<VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
  abilities.statistics = executables != nullptr && executables->pipelineExecutableInfo == VK_TRUE;
  // lavapipe, seen in Mesa 25.0 (docs/verification.md).
  abilities.loses_mesh_components = abilities.loses_mesh_doubles = abilities.loses_mesh_array_gaps =
      abilities.leaves_mesh_targets_empty = gpu.properties.vendorID == static_cast<std::uint32_t>(VK_VENDOR_ID_MESA) &&
                                            gpu.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
  const auto* xfb = chain.find<VkPhysicalDeviceTransformFeedbackFeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT);
  abilities.transform_feedback = xfb != nullptr && xfb->transformFeedback == VK_TRUE;
  if (!abilities.transform_feedback) return;
  VkPhysicalDeviceTransformFeedbackPropertiesEXT xfb_limits{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  properties.pNext = &xfb_limits;
  vkGetPhysicalDeviceProperties2(gpu.physical, &properties);
  abilities.xfb_buffers = xfb_limits.maxTransformFeedbackBuffers;
}

template <typename Function>
void load(VkDevice device, Function& function, const char* name) {
  function = reinterpret_cast<Function>(vkGetDeviceProcAddr(device, name));
}

void load_functions(Gpu& gpu) {
  if (gpu.abilities.transform_feedback) {
    load(gpu.device, gpu.bind_xfb_buffers, "vkCmdBindTransformFeedbackBuffersEXT");
    load(gpu.device, gpu.begin_xfb, "vkCmdBeginTransformFeedbackEXT");
    load(gpu.device, gpu.end_xfb, "vkCmdEndTransformFeedbackEXT");
  }
  if (gpu.abilities.statistics) {
    load(gpu.device, gpu.get_executables, "vkGetPipelineExecutablePropertiesKHR");
    load(gpu.device, gpu.get_statistics, "vkGetPipelineExecutableStatisticsKHR");
  }
  if (gpu.abilities.mesh) load(gpu.device, gpu.draw_mesh_tasks, "vkCmdDrawMeshTasksEXT");
}

}  // namespace

VkResult create_device(Gpu& gpu, Purpose purpose) {
  FeatureChain chain;
  for (const CoreFeatures& core : kCoreFeatures)
    if (gpu.properties.apiVersion >= core.version) chain.add(core.type, core.size);

  std::vector<const char*> names;
  const std::vector<VkExtensionProperties> present = device_extensions(gpu.physical);
  for (const Extension& wanted : kExtensions) {
    const bool found = std::any_of(present.begin(), present.end(), [&](const VkExtensionProperties& properties) {
      return std::strcmp(properties.extensionName, wanted.name) == 0;
    });
    if (!found) continue;
    names.push_back(wanted.name);
    if (wanted.size != 0) chain.add(wanted.feature_struct, wanted.size);
  }
  vkGetPhysicalDeviceFeatures2(gpu.physical, &chain.head());
  drop_unwanted(chain, purpose);
  note_abilities(gpu, chain);
  gpu.abilities.dynamic_topology = purpose == Purpose::drawing && has_dynamic_topology(gpu, names);

  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = gpu.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = &chain.head();
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
  info.ppEnabledExtensionNames = names.data();
  const VkResult result = vkCreateDevice(gpu.physical, &info, nullptr, &gpu.device);
  if (result == VK_SUCCESS) load_functions(gpu);
  return result;
}

}  // namespace varylink::verify
