#include "verify/gpu.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "verify/verify.h"

namespace varylink::verify {
namespace {

constexpr double kMostDrawSeconds = 20;
constexpr std::uint64_t kWaitNs = 200'000'000;  // between two looks at the clock
constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr const char* kHowToGetDriver =
    "install a Vulkan driver (Debian: apt install mesa-vulkan-drivers), or set VK_DRIVER_FILES to the .json of one";

bool validation_wanted() {
  const char* value = std::getenv("VARYLINK_VK_VALIDATION");
  return value != nullptr && std::strcmp(value, "0") != 0 && *value != '\0';
}

bool layer_present() {
  std::uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  for (const VkLayerProperties& layer : layers)
    if (std::strcmp(layer.layerName, kValidationLayer) == 0) return true;
  return false;
}

VKAPI_ATTR VkBool32 VKAPI_CALL keep_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                            const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  constexpr std::size_t kAtMost = 50;
  auto& messages = *static_cast<std::vector<std::string>*>(user);
  if (messages.size() < kAtMost) messages.emplace_back(data->pMessage);
  return VK_FALSE;
}

VkResult create_instance(Gpu& gpu) {
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "varylink";
  application.apiVersion = VK_API_VERSION_1_3;
  VkDebugUtilsMessengerCreateInfoEXT messenger{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  messenger.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messenger.pfnUserCallback = keep_message;
  messenger.pUserData = &gpu.validation_messages;

  const bool validate = validation_wanted() && layer_present();
  const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  if (validate) {
    info.pNext = &messenger;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &kValidationLayer;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
  }
  const VkResult result = vkCreateInstance(&info, nullptr, &gpu.instance);
  if (result != VK_SUCCESS || !validate) return result;
  const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      vkGetInstanceProcAddr(gpu.instance, "vkCreateDebugUtilsMessengerEXT"));
  return create == nullptr ? VK_SUCCESS : create(gpu.instance, &messenger, nullptr, &gpu.messenger);
}

// The first physical device that can draw; with VARYLINK_VK_DEVICE, the first whose name contains that text.
bool pick_physical(Gpu& gpu) {
  std::uint32_t count = 0;
  vkEnumeratePhysicalDevices(gpu.instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  vkEnumeratePhysicalDevices(gpu.instance, &count, devices.data());
  const char* wanted = std::getenv("VARYLINK_VK_DEVICE");
  for (const VkPhysicalDevice device : devices) {
    const std::optional<std::uint32_t> family = graphics_queue_family(device);
    vkGetPhysicalDeviceProperties(device, &gpu.properties);
    if (!family || gpu.properties.apiVersion < VK_API_VERSION_1_1) continue;
    if (wanted != nullptr && std::strstr(gpu.properties.deviceName, wanted) == nullptr) continue;
    gpu.physical = device;
    gpu.queue_family = *family;
    vkGetPhysicalDeviceMemoryProperties(device, &gpu.memory);
    return true;
  }
  return false;
}

VkResult create_command_buffer(Gpu& gpu) {
  vkGetDeviceQueue(gpu.device, gpu.queue_family, 0, &gpu.queue);
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = gpu.queue_family;
  if (VkResult result = vkCreateCommandPool(gpu.device, &pool, nullptr, &gpu.command_pool)) return result;
  VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = gpu.command_pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  if (VkResult result = vkAllocateCommandBuffers(gpu.device, &allocate, &gpu.commands)) return result;
  const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  return vkCreateFence(gpu.device, &fence, nullptr, &gpu.fence);
}

std::string describe(const VkPhysicalDeviceProperties& properties) {
  const std::uint32_t api = properties.apiVersion;
  return std::string(properties.deviceName) + ", Vulkan " + std::to_string(VK_API_VERSION_MAJOR(api)) + "." +
         std::to_string(VK_API_VERSION_MINOR(api)) + ", driver " +
         std::to_string(VK_API_VERSION_MAJOR(properties.driverVersion)) + "." +
         std::to_string(VK_API_VERSION_MINOR(properties.driverVersion)) + "." +
         std::to_string(VK_API_VERSION_PATCH(properties.driverVersion));
}

}  // namespace

std::optional<std::uint32_t> graphics_queue_family(VkPhysicalDevice physical) {
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
  for (std::uint32_t i = 0; i < count; ++i)
    if ((families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0) return i;
  return std::nullopt;
}

Diagnostic vulkan_error(const char* what, VkResult result) {
  std::string text;
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY: text = "out of host memory"; break;
    case VK_ERROR_OUT_OF_DEVICE_MEMORY: text = "out of device memory"; break;
    case VK_ERROR_DEVICE_LOST: text = "device lost"; break;
    case VK_ERROR_FORMAT_NOT_SUPPORTED: text = "format not supported"; break;
    case VK_ERROR_FEATURE_NOT_PRESENT: text = "feature not present"; break;
    case VK_TIMEOUT: text = "no answer in time"; break;
    default: text = "error " + std::to_string(static_cast<int>(result)); break;
  }
  return make_error(ErrorKind::usage, {}, std::string(what) + ": " + text);
}

Result<std::unique_ptr<Gpu>> create_gpu(Purpose purpose) {
  if (const Result<void> opened = open_vulkan(); !opened) return opened.error();
  auto gpu = std::make_unique<Gpu>();
  if (create_instance(*gpu) != VK_SUCCESS)
    return make_error(ErrorKind::usage, {}, std::string("no usable Vulkan driver: ") + kHowToGetDriver);
  if (!pick_physical(*gpu))
    return make_error(ErrorKind::usage, {},
                      std::string("no Vulkan 1.1 device that can draw was found: ") + kHowToGetDriver);
  if (const VkResult result = create_device(*gpu, purpose)) return vulkan_error("no usable Vulkan device", result);
  if (const VkResult result = purpose == Purpose::drawing ? create_command_buffer(*gpu) : VK_SUCCESS)
    return vulkan_error("no usable Vulkan device", result);
  gpu->description = describe(gpu->properties);
  return gpu;
}

Gpu::~Gpu() {
  if (device != VK_NULL_HANDLE) {
    if (queue != VK_NULL_HANDLE) vkDeviceWaitIdle(device);
    vkDestroyFence(device, fence, nullptr);
    vkDestroyCommandPool(device, command_pool, nullptr);
    vkDestroyDevice(device, nullptr);
  }
  if (messenger != VK_NULL_HANDLE) {
    const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"));
    destroy(instance, messenger, nullptr);
  }
  if (instance != VK_NULL_HANDLE) vkDestroyInstance(instance, nullptr);
}

Result<void> Gpu::begin() {
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  if (const VkResult result = vkBeginCommandBuffer(commands, &info)) return vulkan_error("command buffer", result);
  return {};
}

Result<void> Gpu::submit_and_wait() {
  if (const VkResult result = vkEndCommandBuffer(commands)) return vulkan_error("command buffer", result);
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  if (const VkResult result = vkQueueSubmit(queue, 1, &submit, fence)) return vulkan_error("draw", result);
  if (const VkResult result = wait()) return vulkan_error("draw", result);
  vkResetFences(device, 1, &fence);
  return {};
}

// What a driver that draws on the processor has used is told by the clock of the process: on a busy machine, wall time
// says how little it was let run, and not that it hangs.
VkResult Gpu::wait() const {
  const auto seconds = [&] {
    if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  const double start = seconds();
  while (true) {
    const VkResult result = vkWaitForFences(device, 1, &fence, VK_TRUE, kWaitNs);
    if (result != VK_TIMEOUT || seconds() - start > kMostDrawSeconds) return result;
  }
}

Device::Device(std::unique_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {}
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(Device&&) noexcept = default;
Device::~Device() = default;
const std::string& Device::description() const { return gpu_->description; }

Result<Device> Device::create() {
  Result<std::unique_ptr<Gpu>> gpu = create_gpu(Purpose::drawing);
  if (!gpu) return gpu.error();
  return Device(std::move(*gpu));
}

}  // namespace varylink::verify
