// What the loader calls, and the functions that the layer takes part in.
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "chain.h"
#include "hiding.h"
#include "kept_results.h"
#include "pipelines.h"
#include "platform/file_system.h"
#include "records.h"
#include "shader_objects.h"

namespace varylink::layer {
namespace {

PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance instance, const char* name);
PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device, const char* name);

// Exceptions end here: what is recorded for linking is then missing, and such pipelines are passed through.
template <typename Work>
void guarded(const Work& work) {
  try {
    work();
  } catch (...) {
  }
}

template <typename Function>
void fetch(Function& function, PFN_vkGetInstanceProcAddr get, VkInstance instance, const char* name) {
  function = reinterpret_cast<Function>(get(instance, name));
}
template <typename Function>
void fetch(Function& function, PFN_vkGetDeviceProcAddr get, VkDevice device, const char* name) {
  function = reinterpret_cast<Function>(get(device, name));
}

InstanceFunctions instance_functions(PFN_vkGetInstanceProcAddr get, VkInstance instance) {
  InstanceFunctions next;
  next.get = get;
  fetch(next.destroy_instance, get, instance, "vkDestroyInstance");
  fetch(next.properties, get, instance, "vkGetPhysicalDeviceProperties");
  fetch(next.device_extensions, get, instance, "vkEnumerateDeviceExtensionProperties");
  fetch(next.features2, get, instance, "vkGetPhysicalDeviceFeatures2");
  if (next.features2 == nullptr) fetch(next.features2, get, instance, "vkGetPhysicalDeviceFeatures2KHR");
  return next;
}

DeviceFunctions device_functions(PFN_vkGetDeviceProcAddr get, VkDevice device) {
  DeviceFunctions next;
  next.get = get;
  fetch(next.destroy_device, get, device, "vkDestroyDevice");
  fetch(next.create_module, get, device, "vkCreateShaderModule");
  fetch(next.destroy_module, get, device, "vkDestroyShaderModule");
  fetch(next.create_graphics_pipelines, get, device, "vkCreateGraphicsPipelines");
  fetch(next.create_compute_pipelines, get, device, "vkCreateComputePipelines");
  fetch(next.destroy_pipeline, get, device, "vkDestroyPipeline");
  fetch(next.create_set_layout, get, device, "vkCreateDescriptorSetLayout");
  fetch(next.destroy_set_layout, get, device, "vkDestroyDescriptorSetLayout");
  fetch(next.create_pipeline_layout, get, device, "vkCreatePipelineLayout");
  fetch(next.destroy_pipeline_layout, get, device, "vkDestroyPipelineLayout");
  fetch(next.create_render_pass, get, device, "vkCreateRenderPass");
  fetch(next.create_render_pass2, get, device, "vkCreateRenderPass2");
  if (next.create_render_pass2 == nullptr) fetch(next.create_render_pass2, get, device, "vkCreateRenderPass2KHR");
  fetch(next.destroy_render_pass, get, device, "vkDestroyRenderPass");
  fetch(next.create_shaders, get, device, "vkCreateShadersEXT");
  fetch(next.destroy_shader, get, device, "vkDestroyShaderEXT");
  fetch(next.get_shader_binary, get, device, "vkGetShaderBinaryDataEXT");
  return next;
}

// The structure in which the loader says what is below this layer.
template <typename Info>
Info* link_info(const void* chain, std::uint32_t type) {
  for (auto* each = static_cast<VkBaseOutStructure*>(const_cast<void*>(chain)); each != nullptr; each = each->pNext) {
    auto* info = reinterpret_cast<Info*>(each);
    if (static_cast<std::uint32_t>(each->sType) == type && info->function == VK_LAYER_LINK_INFO) return info;
  }
  return nullptr;
}

// Modules from a cache go to the driver as they are: whoever may write to it decides what the program draws.
void keep_results(Instance& instance) {
  const std::string& folder = instance.settings.cache;
  instance.kept = std::make_unique<KeptResults>(folder);
  if (platform::is_open_to_others(folder))
    instance.journal->say(folder + ": other users may write to the cache, and so decide what is drawn");
}

VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                    VkInstance* instance) {
  auto* link = link_info<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  if (link == nullptr || link->u.pLayerInfo == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  PFN_vkCreateInstance create = nullptr;
  fetch(create, get, VkInstance(VK_NULL_HANDLE), "vkCreateInstance");
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const VkResult result = create(info, allocator, instance);
  if (result != VK_SUCCESS) return result;
  const InstanceFunctions next = instance_functions(get, *instance);
  try {
    auto record = std::make_shared<Instance>();
    record->handle = *instance;
    const VkApplicationInfo* application = info->pApplicationInfo;
    record->api_version =
        application == nullptr || application->apiVersion == 0 ? VK_API_VERSION_1_0 : application->apiVersion;
    record->next = next;
    record->settings = read_settings(info->pNext);
    record->journal = std::make_unique<Journal>(record->settings.journal);
    record->journal->instance(record->api_version);
    for (const std::string& problem : record->settings.problems) record->journal->say(problem);
    if (record->settings.mode == Mode::link && !record->settings.cache.empty()) keep_results(*record);
    if (record->settings.mode == Mode::record) record->recorder = std::make_unique<Recorder>(record->settings.folder);
    add_instance(std::move(record));
  } catch (...) {  // without its record nothing could be passed on
    next.destroy_instance(*instance, allocator);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  return VK_SUCCESS;
}

void VKAPI_CALL destroy_instance(VkInstance instance, const VkAllocationCallbacks* allocator) {
  if (instance == VK_NULL_HANDLE) return;
  const std::shared_ptr<Instance> record = find_instance(instance);
  if (!record) return;
  remove_instance(instance);
  // The layer may be unloaded with its last instance, and its threads must not be there then.
  guarded([&] {
    for (const std::shared_ptr<Device>& device : devices_of(*record)) device->background->abandon();
  });
  record->next.destroy_instance(instance, allocator);
}

VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                  const VkAllocationCallbacks* allocator, VkDevice* device) {
  auto* link = link_info<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  const std::shared_ptr<Instance> instance = find_instance(physical);
  if (link == nullptr || link->u.pLayerInfo == nullptr || !instance) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  PFN_vkCreateDevice create = nullptr;
  fetch(create, link->u.pLayerInfo->pfnNextGetInstanceProcAddr, instance->handle, "vkCreateDevice");
  if (create == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const VkResult result = create(physical, info, allocator, device);
  if (result != VK_SUCCESS) return result;
  const DeviceFunctions next = device_functions(get, *device);
  try {
    auto record = std::make_shared<Device>();
    record->handle = *device;
    record->instance = instance;
    record->next = next;
    VkPhysicalDeviceProperties properties = {};
    instance->next.properties(physical, &properties);
    record->target = target_of(std::min(instance->api_version, properties.apiVersion), *info);
    add_device(std::move(record));
  } catch (...) {
    next.destroy_device(*device, allocator);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  return VK_SUCCESS;
}

void VKAPI_CALL destroy_device(VkDevice device, const VkAllocationCallbacks* allocator) {
  if (device == VK_NULL_HANDLE) return;
  const std::shared_ptr<Device> record = find_device(device);
  if (!record) return;
  remove_device(device);
  guarded([&] { record->background->stop(); });
  record->next.destroy_device(device, allocator);
}

VkResult VKAPI_CALL create_shader_module(VkDevice device, const VkShaderModuleCreateInfo* info,
                                         const VkAllocationCallbacks* allocator, VkShaderModule* module) {
  const std::shared_ptr<Device> record = find_device(device);
  const VkResult result = record->next.create_module(device, info, allocator, module);
  if (result == VK_SUCCESS)
    guarded([&] {
      record->objects.modules.add(*module, Words(info->pCode, info->pCode + info->codeSize / sizeof(std::uint32_t)));
    });
  return result;
}

VkResult VKAPI_CALL create_set_layout(VkDevice device, const VkDescriptorSetLayoutCreateInfo* info,
                                      const VkAllocationCallbacks* allocator, VkDescriptorSetLayout* layout) {
  const std::shared_ptr<Device> record = find_device(device);
  const VkResult result = record->next.create_set_layout(device, info, allocator, layout);
  if (result == VK_SUCCESS) guarded([&] { record->objects.set_layouts.add(*layout, read(*info)); });
  return result;
}

VkResult VKAPI_CALL create_pipeline_layout(VkDevice device, const VkPipelineLayoutCreateInfo* info,
                                           const VkAllocationCallbacks* allocator, VkPipelineLayout* layout) {
  const std::shared_ptr<Device> record = find_device(device);
  const VkResult result = record->next.create_pipeline_layout(device, info, allocator, layout);
  if (result == VK_SUCCESS)
    guarded([&] { record->objects.pipeline_layouts.add(*layout, read(*info, record->objects)); });
  return result;
}

VkResult VKAPI_CALL create_render_pass(VkDevice device, const VkRenderPassCreateInfo* info,
                                       const VkAllocationCallbacks* allocator, VkRenderPass* pass) {
  const std::shared_ptr<Device> record = find_device(device);
  const VkResult result = record->next.create_render_pass(device, info, allocator, pass);
  if (result == VK_SUCCESS) guarded([&] { record->objects.render_passes.add(*pass, read(*info)); });
  return result;
}

VkResult VKAPI_CALL create_render_pass2(VkDevice device, const VkRenderPassCreateInfo2* info,
                                        const VkAllocationCallbacks* allocator, VkRenderPass* pass) {
  const std::shared_ptr<Device> record = find_device(device);
  const VkResult result = record->next.create_render_pass2(device, info, allocator, pass);
  if (result == VK_SUCCESS) guarded([&] { record->objects.render_passes.add(*pass, read(*info)); });
  return result;
}

// The value goes before the handle does: another thread may be handed the same one again at once.
void VKAPI_CALL destroy_shader_module(VkDevice device, VkShaderModule module, const VkAllocationCallbacks* allocator) {
  const std::shared_ptr<Device> record = find_device(device);
  guarded([&] { record->objects.modules.remove(module); });
  record->next.destroy_module(device, module, allocator);
}

void VKAPI_CALL destroy_set_layout(VkDevice device, VkDescriptorSetLayout layout,
                                   const VkAllocationCallbacks* allocator) {
  const std::shared_ptr<Device> record = find_device(device);
  guarded([&] {
    const auto lock = record->original_binaries.lock();
    record->objects.set_layouts.remove(layout);
  });
  record->next.destroy_set_layout(device, layout, allocator);
}

void VKAPI_CALL destroy_pipeline_layout(VkDevice device, VkPipelineLayout layout,
                                        const VkAllocationCallbacks* allocator) {
  const std::shared_ptr<Device> record = find_device(device);
  guarded([&] { record->objects.pipeline_layouts.remove(layout); });
  record->next.destroy_pipeline_layout(device, layout, allocator);
}

void VKAPI_CALL destroy_render_pass(VkDevice device, VkRenderPass pass, const VkAllocationCallbacks* allocator) {
  const std::shared_ptr<Device> record = find_device(device);
  guarded([&] { record->objects.render_passes.remove(pass); });
  record->next.destroy_render_pass(device, pass, allocator);
}

VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                     const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks* allocator,
                                     VkPipeline* pipelines) {
  const std::shared_ptr<Device> record = find_device(device);
  return create_graphics_pipelines(*record, cache, count, infos, allocator, pipelines);
}

VkResult VKAPI_CALL create_shaders(VkDevice device, std::uint32_t count, const ShaderCreateInfo* infos,
                                   const VkAllocationCallbacks* allocator, ShaderObject* shaders) {
  return create_shader_objects(*find_device(device), count, infos, allocator, shaders);
}

void VKAPI_CALL destroy_shader(VkDevice device, ShaderObject shader, const VkAllocationCallbacks* allocator) {
  destroy_shader_object(*find_device(device), shader, allocator);
}

VkResult VKAPI_CALL get_shader_binary(VkDevice device, ShaderObject shader, std::size_t* size, void* data) {
  return get_shader_object_binary(*find_device(device), shader, size, data);
}

VkResult VKAPI_CALL enumerate_layers(std::uint32_t* count, VkLayerProperties* properties) {
  if (properties == nullptr) {
    *count = 1;
    return VK_SUCCESS;
  }
  if (*count == 0) return VK_INCOMPLETE;
  *count = 1;
  *properties = {};
  std::strncpy(properties->layerName, kLayerName, VK_MAX_EXTENSION_NAME_SIZE - 1);
  std::strncpy(properties->description, "Links the stages of graphics pipelines", VK_MAX_DESCRIPTION_SIZE - 1);
  properties->specVersion = VK_HEADER_VERSION_COMPLETE;
  properties->implementationVersion = 1;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL enumerate_device_layers(VkPhysicalDevice, std::uint32_t* count, VkLayerProperties* properties) {
  return enumerate_layers(count, properties);
}

VkResult VKAPI_CALL enumerate_instance_extensions(const char* layer, std::uint32_t* count, VkExtensionProperties*) {
  if (layer == nullptr || std::string_view(layer) != kLayerName) return VK_ERROR_LAYER_NOT_PRESENT;
  *count = 0;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL enumerate_device_extensions(VkPhysicalDevice physical, const char* layer, std::uint32_t* count,
                                                VkExtensionProperties* properties) {
  if (layer != nullptr && std::string_view(layer) == kLayerName) {
    *count = 0;
    return VK_SUCCESS;
  }
  const std::shared_ptr<Instance> instance = find_instance(physical);
  if (!instance) return VK_ERROR_INITIALIZATION_FAILED;
  if (layer == nullptr && instance->settings.hide_libraries) {
    try {
      return extensions_without_libraries(instance->next.device_extensions, physical, count, properties);
    } catch (...) {
      return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
  }
  return instance->next.device_extensions(physical, layer, count, properties);
}

void VKAPI_CALL get_features2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2* features) {
  const std::shared_ptr<Instance> instance = find_instance(physical);
  if (!instance) return;
  instance->next.features2(physical, features);
  if (instance->settings.hide_libraries) hide_library_features(*features);
}

struct Function {
  std::string_view name;
  PFN_vkVoidFunction address;
};

template <typename Address>
Function function(std::string_view name, Address address) {
  return {name, reinterpret_cast<PFN_vkVoidFunction>(address)};
}

PFN_vkVoidFunction find_instance_function(std::string_view name) {
  static const Function functions[] = {
      function("vkGetInstanceProcAddr", get_instance_proc_addr),
      function("vkCreateInstance", create_instance),
      function("vkDestroyInstance", destroy_instance),
      function("vkCreateDevice", create_device),
      function("vkEnumerateInstanceLayerProperties", enumerate_layers),
      function("vkEnumerateInstanceExtensionProperties", enumerate_instance_extensions),
      function("vkEnumerateDeviceLayerProperties", enumerate_device_layers),
      function("vkEnumerateDeviceExtensionProperties", enumerate_device_extensions),
  };
  for (const Function& each : functions)
    if (each.name == name) return each.address;
  return nullptr;
}

// Those that an instance has or has not, as its version and extensions are.
PFN_vkVoidFunction find_physical_device_function(std::string_view name) {
  const bool is_known = name == "vkGetPhysicalDeviceFeatures2" || name == "vkGetPhysicalDeviceFeatures2KHR";
  return is_known ? function(name, get_features2).address : nullptr;
}

PFN_vkVoidFunction find_device_function(std::string_view name) {
  static const Function functions[] = {
      function("vkGetDeviceProcAddr", get_device_proc_addr),
      function("vkDestroyDevice", destroy_device),
      function("vkCreateShaderModule", create_shader_module),
      function("vkDestroyShaderModule", destroy_shader_module),
      function("vkCreateGraphicsPipelines", create_pipelines),
      function("vkCreateDescriptorSetLayout", create_set_layout),
      function("vkDestroyDescriptorSetLayout", destroy_set_layout),
      function("vkCreatePipelineLayout", create_pipeline_layout),
      function("vkDestroyPipelineLayout", destroy_pipeline_layout),
      function("vkCreateRenderPass", create_render_pass),
      function("vkCreateRenderPass2", create_render_pass2),
      function("vkCreateRenderPass2KHR", create_render_pass2),
      function("vkDestroyRenderPass", destroy_render_pass),
      function("vkCreateShadersEXT", create_shaders),
      function("vkDestroyShaderEXT", destroy_shader),
      function("vkGetShaderBinaryDataEXT", get_shader_binary),
  };
  for (const Function& each : functions)
    if (each.name == name) return each.address;
  return nullptr;
}

PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device, const char* name) {
  const std::shared_ptr<Device> record = find_device(device);
  if (!record) return nullptr;
  const PFN_vkVoidFunction next = record->next.get(device, name);
  const PFN_vkVoidFunction own = find_device_function(name);
  return next != nullptr && own != nullptr ? own : next;  // what the device does not have, it does not get here
}

PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance instance, const char* name) {
  if (const PFN_vkVoidFunction own = find_instance_function(name)) return own;
  if (instance == VK_NULL_HANDLE) return nullptr;
  const std::shared_ptr<Instance> record = find_instance(instance);
  if (!record) return nullptr;
  const PFN_vkVoidFunction next = record->next.get(instance, name);
  PFN_vkVoidFunction own = find_device_function(name);
  if (own == nullptr) own = find_physical_device_function(name);
  return next != nullptr && own != nullptr ? own : next;
}

}  // namespace
}  // namespace varylink::layer

extern "C" VK_LAYER_EXPORT VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* interface) {
  constexpr std::uint32_t kVersion = 2;  // the first with this function
  if (interface == nullptr || interface->loaderLayerInterfaceVersion < kVersion) return VK_ERROR_INITIALIZATION_FAILED;
  interface->loaderLayerInterfaceVersion = kVersion;
  interface->pfnGetInstanceProcAddr = varylink::layer::get_instance_proc_addr;
  interface->pfnGetDeviceProcAddr = varylink::layer::get_device_proc_addr;
  interface->pfnGetPhysicalDeviceProcAddr = nullptr;  // the loader passes on what it does not know
  return VK_SUCCESS;
}
