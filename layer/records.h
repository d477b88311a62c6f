// The instances and devices of the program, with the functions of whatever is below this layer.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "background.h"
#include "journal.h"
#include "kept_results.h"
#include "linking.h"
#include "objects.h"
#include "recording.h"
#include "settings.h"
#include "shader_object_api.h"
#include "shader_originals.h"
#include "target.h"

namespace varylink::layer {

// Functions of the next layer or the driver. All are fetched while the object is made: later, what the loader hands out
// leads back to this layer.
struct InstanceFunctions {
  PFN_vkGetInstanceProcAddr get = nullptr;
  PFN_vkDestroyInstance destroy_instance = nullptr;
  PFN_vkGetPhysicalDeviceProperties properties = nullptr;
  PFN_vkEnumerateDeviceExtensionProperties device_extensions = nullptr;
  PFN_vkGetPhysicalDeviceFeatures2 features2 = nullptr;
};

struct DeviceFunctions {
  PFN_vkGetDeviceProcAddr get = nullptr;
  PFN_vkDestroyDevice destroy_device = nullptr;
  PFN_vkCreateShaderModule create_module = nullptr;
  PFN_vkDestroyShaderModule destroy_module = nullptr;
  PFN_vkCreateGraphicsPipelines create_graphics_pipelines = nullptr;
  PFN_vkCreateComputePipelines create_compute_pipelines = nullptr;
  PFN_vkDestroyPipeline destroy_pipeline = nullptr;
  PFN_vkCreateDescriptorSetLayout create_set_layout = nullptr;
  PFN_vkDestroyDescriptorSetLayout destroy_set_layout = nullptr;
  PFN_vkCreatePipelineLayout create_pipeline_layout = nullptr;
  PFN_vkDestroyPipelineLayout destroy_pipeline_layout = nullptr;
  PFN_vkCreateRenderPass create_render_pass = nullptr;
  PFN_vkCreateRenderPass2 create_render_pass2 = nullptr;
  PFN_vkDestroyRenderPass destroy_render_pass = nullptr;
  CreateShaders create_shaders = nullptr;
  DestroyShader destroy_shader = nullptr;
  GetShaderBinaryData get_shader_binary = nullptr;
};

struct Instance {
  VkInstance handle = VK_NULL_HANDLE;
  std::uint32_t api_version = 0;
  Settings settings;
  std::unique_ptr<Journal> journal;
  std::unique_ptr<Recorder> recorder;  // with Mode::record
  std::unique_ptr<KeptResults> kept;   // with a cache
  InstanceFunctions next;
};

struct Device {
  VkDevice handle = VK_NULL_HANDLE;
  std::shared_ptr<Instance> instance;
  DeviceFunctions next;
  Target target;
  Objects objects;
  KnownResults known;
  ValidWords valid_words = std::make_shared<spirv::KeptValidWords>();
  ByHandle<LinkedShader> linked_shaders;
  OriginalBinaries original_binaries;
  std::shared_ptr<Background> background = std::make_shared<Background>();
};

// By a handle of the instance or of one of its physical devices; by a handle of the device or of one of its queues.
void add_instance(std::shared_ptr<Instance> instance);
std::shared_ptr<Instance> find_instance(const void* handle);
void remove_instance(const void* handle);
void add_device(std::shared_ptr<Device> device);
std::shared_ptr<Device> find_device(const void* handle);
void remove_device(const void* handle);
// Those that the program made of an instance and has not destroyed.
std::vector<std::shared_ptr<Device>> devices_of(const Instance& instance);

}  // namespace varylink::layer
