// A Vulkan layer that stands for a driver which does not take linked code. All shader code but that of the program,
// which is in the files scene.vert.spv and scene.frag.spv of the folder REFUSING_LAYER_FOLDER, is refused.
// REFUSING_LAYER_AT says where: module, pipeline or shaders. Says at the end of the device how many pipelines and
// shader objects are left, modules of linked code among them.
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "shader_object_api.h"

namespace {

using varylink::layer::CreateShaders;
using varylink::layer::DestroyShader;
using varylink::layer::ShaderCreateInfo;
using varylink::layer::ShaderObject;

// Of the one instance and device of the program.
PFN_vkGetInstanceProcAddr next_of_instance;
PFN_vkGetDeviceProcAddr next_of_device;
VkInstance the_instance;
VkDevice the_device;
std::set<VkShaderModule> linked_modules;
std::atomic<int> alive{0};

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(next_of_device(the_device, name));
}

std::string file(const char* name) {
  std::ifstream stream(std::string(std::getenv("REFUSING_LAYER_FOLDER")) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool is_linked(const void* code, std::size_t size) {
  const std::string_view bytes(static_cast<const char*>(code), size);
  return bytes != file("scene.vert.spv") && bytes != file("scene.frag.spv");
}

bool refuses(const char* where) { return std::string_view(std::getenv("REFUSING_LAYER_AT")) == where; }

VkResult VKAPI_CALL create_module(VkDevice device, const VkShaderModuleCreateInfo* info,
                                  const VkAllocationCallbacks* allocator, VkShaderModule* module) {
  const bool is_other = is_linked(info->pCode, info->codeSize);
  // The second of a pipeline: the first is there already.
  if (is_other && refuses("module") && !linked_modules.empty()) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  const VkResult result = next<PFN_vkCreateShaderModule>("vkCreateShaderModule")(device, info, allocator, module);
  if (is_other) linked_modules.insert(*module);
  return result;
}

void VKAPI_CALL destroy_module(VkDevice device, VkShaderModule module, const VkAllocationCallbacks* allocator) {
  linked_modules.erase(module);
  next<PFN_vkDestroyShaderModule>("vkDestroyShaderModule")(device, module, allocator);
}

VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                     const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks* allocator,
                                     VkPipeline* pipelines) {
  const VkResult result = next<PFN_vkCreateGraphicsPipelines>("vkCreateGraphicsPipelines")(device, cache, count, infos,
                                                                                           allocator, pipelines);
  if (result == VK_SUCCESS) alive += static_cast<int>(count);
  const VkPipelineShaderStageCreateInfo* last = infos[count - 1].pStages;
  if (!refuses("pipeline") || linked_modules.count(last->module) == 0) return result;
  next<PFN_vkDestroyPipeline>("vkDestroyPipeline")(device, pipelines[count - 1], allocator);
  --alive;
  pipelines[count - 1] = VK_NULL_HANDLE;
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

void VKAPI_CALL destroy_pipeline(VkDevice device, VkPipeline pipeline, const VkAllocationCallbacks* allocator) {
  if (pipeline != VK_NULL_HANDLE) --alive;
  next<PFN_vkDestroyPipeline>("vkDestroyPipeline")(device, pipeline, allocator);
}

VkResult VKAPI_CALL create_shaders(VkDevice device, std::uint32_t count, const ShaderCreateInfo* infos,
                                   const VkAllocationCallbacks* allocator, ShaderObject* shaders) {
  const VkResult result = next<CreateShaders>("vkCreateShadersEXT")(device, count, infos, allocator, shaders);
  for (std::uint32_t i = 0; i < count; ++i) alive += shaders[i] != 0;
  const ShaderCreateInfo& last = infos[count - 1];
  if (!refuses("shaders") || !is_linked(last.code, last.code_size)) return result;
  next<DestroyShader>("vkDestroyShaderEXT")(device, shaders[count - 1], allocator);
  --alive;
  shaders[count - 1] = 0;
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

void VKAPI_CALL destroy_shader(VkDevice device, ShaderObject shader, const VkAllocationCallbacks* allocator) {
  if (shader != 0) --alive;
  next<DestroyShader>("vkDestroyShaderEXT")(device, shader, allocator);
}

void VKAPI_CALL destroy_device(VkDevice device, const VkAllocationCallbacks* allocator) {
  std::printf("left: %d\n", alive.load() + static_cast<int>(linked_modules.size()));
  std::fflush(stdout);
  next<PFN_vkDestroyDevice>("vkDestroyDevice")(device, allocator);
}

template <typename Info>
Info* link_info(const void* chain, VkStructureType type) {
  for (auto* each = static_cast<Info*>(const_cast<void*>(chain)); each != nullptr;
       each = static_cast<Info*>(const_cast<void*>(each->pNext)))
    if (each->sType == type && each->function == VK_LAYER_LINK_INFO) return each;
  return nullptr;
}

VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                    VkInstance* instance) {
  auto* whole = link_info<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  auto* link = whole->u.pLayerInfo;
  whole->u.pLayerInfo = link->pNext;
  next_of_instance = link->pfnNextGetInstanceProcAddr;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(next_of_instance(nullptr, "vkCreateInstance"));
  const VkResult result = create(info, allocator, instance);
  the_instance = *instance;
  return result;
}

VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                  const VkAllocationCallbacks* allocator, VkDevice* device) {
  auto* whole = link_info<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  auto* link = whole->u.pLayerInfo;
  whole->u.pLayerInfo = link->pNext;
  next_of_device = link->pfnNextGetDeviceProcAddr;
  const auto create =
      reinterpret_cast<PFN_vkCreateDevice>(link->pfnNextGetInstanceProcAddr(the_instance, "vkCreateDevice"));
  const VkResult result = create(physical, info, allocator, device);
  the_device = *device;
  return result;
}

struct Function {
  std::string_view name;
  PFN_vkVoidFunction address;
};

template <typename Address>
Function function(std::string_view name, Address address) {
  return {name, reinterpret_cast<PFN_vkVoidFunction>(address)};
}

PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device, const char* name) {
  static const Function own[] = {
      function("vkGetDeviceProcAddr", get_device_proc_addr),   function("vkDestroyDevice", destroy_device),
      function("vkCreateShaderModule", create_module),         function("vkDestroyShaderModule", destroy_module),
      function("vkCreateGraphicsPipelines", create_pipelines), function("vkDestroyPipeline", destroy_pipeline),
      function("vkCreateShadersEXT", create_shaders),          function("vkDestroyShaderEXT", destroy_shader)};
  for (const Function& each : own)
    if (each.name == name) return each.address;
  return next_of_device(device, name);
}

PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance instance, const char* name) {
  static const Function own[] = {
      function("vkGetInstanceProcAddr", get_instance_proc_addr), function("vkGetDeviceProcAddr", get_device_proc_addr),
      function("vkCreateInstance", create_instance), function("vkCreateDevice", create_device)};
  for (const Function& each : own)
    if (each.name == name) return each.address;
  return next_of_instance == nullptr ? nullptr : next_of_instance(instance, name);
}

}  // namespace

extern "C" VK_LAYER_EXPORT VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* interface) {
  interface->loaderLayerInterfaceVersion = 2;
  interface->pfnGetInstanceProcAddr = get_instance_proc_addr;
  interface->pfnGetDeviceProcAddr = get_device_proc_addr;
  interface->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
