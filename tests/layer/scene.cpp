// A program as any other: draws into an image, in the way that its first argument names, and writes the image. It knows
// nothing of the layer; layer_test.py runs it with and without.
//
//   layer_scene WAY FOLDER FRAME    FOLDER has scene.vert.spv and scene.frag.spv, FRAME gets the bytes of the image
//
// Exit status 77: the driver cannot do it.
#include <vulkan/vulkan.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::uint32_t kSize = 64;  // pixels of the image, each way
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr int kSkip = 77;

[[noreturn]] void end(int status, const std::string& why) {
  std::fprintf(stderr, "layer_scene: %s\n", why.c_str());
  std::exit(status);
}
void need(VkResult result, const char* what) {
  if (result != VK_SUCCESS) end(1, std::string(what) + " gave " + std::to_string(result));
}

std::vector<std::uint32_t> read_words(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (bytes.empty() || bytes.size() % 4 != 0) end(1, name + " is no module");
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

struct Push {
  float tint[4];
  float offset[2];
};

// A device with an image that is drawn into. Nothing is destroyed one by one: the process ends.
class Scene {
 public:
  explicit Scene(const std::string& folder)
      : vertex_(read_words(folder + "/scene.vert.spv")), fragment_(read_words(folder + "/scene.frag.spv")) {
    make_device();
    make_layout();
    make_image();
  }

  VkDevice device() const { return device_; }
  bool has_libraries() const { return has_libraries_; }
  bool has_streams() const { return has_streams_; }
  VkShaderModuleCreateInfo vertex_code() const { return code_of(vertex_); }
  VkShaderModuleCreateInfo fragment_code() const { return code_of(fragment_); }
  VkShaderModule module_of(const VkShaderModuleCreateInfo& code) const {
    VkShaderModule module = VK_NULL_HANDLE;
    need(vkCreateShaderModule(device_, &code, nullptr, &module), "vkCreateShaderModule");
    return module;
  }

  // Draws the pipelines, each with an offset and a tint of its own.
  void draw(const std::vector<VkPipeline>& pipelines);
  void write(const std::string& name) const;
  // Ends as programs should, with nothing left.
  void destroy(const std::vector<VkPipeline>& pipelines);

  // A create info of this scene, with everything that it points to.
  struct Info {
    std::array<VkPipelineShaderStageCreateInfo, 2> stages = {};
    VkPipelineVertexInputStateCreateInfo input = {VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    VkPipelineInputAssemblyStateCreateInfo assembly = {VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    VkViewport viewport = {0, 0, kSize, kSize, 0, 1};
    VkRect2D scissor = {{0, 0}, {kSize, kSize}};
    VkPipelineViewportStateCreateInfo view = {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    VkPipelineRasterizationStateCreateInfo raster = {VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    VkPipelineMultisampleStateCreateInfo samples = {VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    VkPipelineColorBlendAttachmentState blend_of_one = {};
    VkPipelineColorBlendStateCreateInfo blend = {VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    VkFormat format = kFormat;
    VkPipelineRenderingCreateInfo rendering = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  };
  void fill(Info& to) const;

 private:
  static VkShaderModuleCreateInfo code_of(const std::vector<std::uint32_t>& words) {
    return {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, words.size() * 4, words.data()};
  }
  void make_device();
  void make_layout();
  void make_image();
  VkDeviceMemory memory_for(const VkMemoryRequirements& needs, VkMemoryPropertyFlags flags) const;

  std::vector<std::uint32_t> vertex_, fragment_;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkImage image_ = VK_NULL_HANDLE;
  VkImageView view_ = VK_NULL_HANDLE;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory buffer_memory_ = VK_NULL_HANDLE;
  bool has_libraries_ = false, has_streams_ = false;
};

void Scene::destroy(const std::vector<VkPipeline>& pipelines) {
  vkDeviceWaitIdle(device_);
  for (const VkPipeline pipeline : pipelines) vkDestroyPipeline(device_, pipeline, nullptr);
  vkDestroyPipelineLayout(device_, layout_, nullptr);
  vkDestroyImageView(device_, view_, nullptr);
  vkDestroyImage(device_, image_, nullptr);
  vkDestroyDevice(device_, nullptr);
  vkDestroyInstance(instance_, nullptr);
}

void Scene::make_device() {
  VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo instance = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instance.pApplicationInfo = &application;
  if (vkCreateInstance(&instance, nullptr, &instance_) != VK_SUCCESS) end(kSkip, "no Vulkan");
  std::uint32_t count = 1;
  vkEnumeratePhysicalDevices(instance_, &count, &physical_);
  if (count == 0) end(kSkip, "no device");
  VkPhysicalDeviceProperties properties = {};
  vkGetPhysicalDeviceProperties(physical_, &properties);
  if (properties.apiVersion < VK_API_VERSION_1_3) end(kSkip, "the device is older than Vulkan 1.3");

  std::uint32_t extension_count = 0;
  vkEnumerateDeviceExtensionProperties(physical_, nullptr, &extension_count, nullptr);
  std::vector<VkExtensionProperties> extensions(extension_count);
  vkEnumerateDeviceExtensionProperties(physical_, nullptr, &extension_count, extensions.data());
  for (const VkExtensionProperties& each : extensions) {
    has_libraries_ |= std::strcmp(each.extensionName, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME) == 0;
    has_streams_ |= std::strcmp(each.extensionName, VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME) == 0;
  }
  std::vector<const char*> names;
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT};
  libraries.graphicsPipelineLibrary = VK_TRUE;
  VkPhysicalDeviceVulkan13Features features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  features.dynamicRendering = VK_TRUE;
  features.pipelineCreationCacheControl = VK_TRUE;
  features.maintenance4 = VK_TRUE;
  if (has_libraries_) {
    names = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
    features.pNext = &libraries;
  }
  VkPhysicalDeviceTransformFeedbackFeaturesEXT streams = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, features.pNext, VK_TRUE, VK_TRUE};
  if (has_streams_) {
    names.push_back(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME);
    features.pNext = &streams;
  }
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo device = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device.pNext = &features;
  device.queueCreateInfoCount = 1;
  device.pQueueCreateInfos = &queue;
  device.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
  device.ppEnabledExtensionNames = names.data();
  if (vkCreateDevice(physical_, &device, nullptr, &device_) != VK_SUCCESS) end(kSkip, "no such device");
  vkGetDeviceQueue(device_, 0, 0, &queue_);
}

void Scene::make_layout() {
  const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(Push)};
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  need(vkCreatePipelineLayout(device_, &info, nullptr, &layout_), "vkCreatePipelineLayout");
}

VkDeviceMemory Scene::memory_for(const VkMemoryRequirements& needs, VkMemoryPropertyFlags flags) const {
  VkPhysicalDeviceMemoryProperties properties = {};
  vkGetPhysicalDeviceMemoryProperties(physical_, &properties);
  for (std::uint32_t i = 0; i < properties.memoryTypeCount; ++i) {
    if ((needs.memoryTypeBits >> i & 1) == 0 || (properties.memoryTypes[i].propertyFlags & flags) != flags) continue;
    const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, i};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    need(vkAllocateMemory(device_, &info, nullptr, &memory), "vkAllocateMemory");
    return memory;
  }
  end(kSkip, "no memory that is fit");
}

void Scene::make_image() {
  VkImageCreateInfo image = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  image.imageType = VK_IMAGE_TYPE_2D;
  image.format = kFormat;
  image.extent = {kSize, kSize, 1};
  image.mipLevels = image.arrayLayers = 1;
  image.samples = VK_SAMPLE_COUNT_1_BIT;
  image.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  need(vkCreateImage(device_, &image, nullptr, &image_), "vkCreateImage");
  VkMemoryRequirements needs = {};
  vkGetImageMemoryRequirements(device_, image_, &needs);
  need(vkBindImageMemory(device_, image_, memory_for(needs, 0), 0), "vkBindImageMemory");
  VkImageViewCreateInfo view = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view.image = image_;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = kFormat;
  view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  need(vkCreateImageView(device_, &view, nullptr, &view_), "vkCreateImageView");
  VkBufferCreateInfo buffer = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  buffer.size = kSize * kSize * 4;
  buffer.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  need(vkCreateBuffer(device_, &buffer, nullptr, &buffer_), "vkCreateBuffer");
  vkGetBufferMemoryRequirements(device_, buffer_, &needs);
  buffer_memory_ = memory_for(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  need(vkBindBufferMemory(device_, buffer_, buffer_memory_, 0), "vkBindBufferMemory");
}

void Scene::fill(Info& to) const {
  to.stages[0] = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, VK_SHADER_STAGE_VERTEX_BIT};
  to.stages[1] = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, VK_SHADER_STAGE_FRAGMENT_BIT};
  to.stages[0].pName = to.stages[1].pName = "main";
  to.assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  to.view.viewportCount = to.view.scissorCount = 1;
  to.view.pViewports = &to.viewport;
  to.view.pScissors = &to.scissor;
  to.raster.lineWidth = 1;
  to.samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  to.blend_of_one.colorWriteMask = 0xf;
  to.blend.attachmentCount = 1;
  to.blend.pAttachments = &to.blend_of_one;
  to.rendering.colorAttachmentCount = 1;
  to.rendering.pColorAttachmentFormats = &to.format;
  VkGraphicsPipelineCreateInfo& info = to.info;
  info.pNext = &to.rendering;
  info.stageCount = 2;
  info.pStages = to.stages.data();
  info.pVertexInputState = &to.input;
  info.pInputAssemblyState = &to.assembly;
  info.pViewportState = &to.view;
  info.pRasterizationState = &to.raster;
  info.pMultisampleState = &to.samples;
  info.pColorBlendState = &to.blend;
  info.layout = layout_;
  info.basePipelineIndex = -1;
}

void Scene::draw(const std::vector<VkPipeline>& pipelines) {
  VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  VkCommandPool pool = VK_NULL_HANDLE;
  need(vkCreateCommandPool(device_, &pool_info, nullptr, &pool), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  need(vkAllocateCommandBuffers(device_, &allocate, &commands), "vkAllocateCommandBuffers");
  const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  need(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  VkImageMemoryBarrier barrier = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  barrier.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  barrier.image = image_;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0,
                       nullptr, 0, nullptr, 1, &barrier);
  VkRenderingAttachmentInfo attachment = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  attachment.imageView = view_;
  attachment.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  VkRenderingInfo rendering = {VK_STRUCTURE_TYPE_RENDERING_INFO};
  rendering.renderArea = {{0, 0}, {kSize, kSize}};
  rendering.layerCount = rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &attachment;
  vkCmdBeginRendering(commands, &rendering);
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    const float step = static_cast<float>(i);
    const Push push = {{1.0f - step * 0.2f, 0.5f + step * 0.1f, 0.75f, 1.0f}, {step * 0.3f, step * 0.15f}};
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
    vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof push,
                       &push);
    vkCmdDraw(commands, 3, 1, 0, 0);
  }
  vkCmdEndRendering(commands);
  barrier.oldLayout = VK_IMAGE_LAYOUT_GENERAL;
  barrier.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                       nullptr, 0, nullptr, 1, &barrier);
  VkBufferImageCopy copy = {};
  copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  copy.imageExtent = {kSize, kSize, 1};
  vkCmdCopyImageToBuffer(commands, image_, VK_IMAGE_LAYOUT_GENERAL, buffer_, 1, &copy);
  need(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  need(vkQueueSubmit(queue_, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  need(vkQueueWaitIdle(queue_), "vkQueueWaitIdle");
}

void Scene::write(const std::string& name) const {
  void* bytes = nullptr;
  need(vkMapMemory(device_, buffer_memory_, 0, VK_WHOLE_SIZE, 0, &bytes), "vkMapMemory");
  std::ofstream file(name, std::ios::binary);
  file.write(static_cast<const char*>(bytes), kSize * kSize * 4);
  if (!file.flush()) end(1, name + " cannot be written");
}

VkPipeline create(const Scene& scene, const VkGraphicsPipelineCreateInfo& info, VkPipelineCache cache = VK_NULL_HANDLE,
                  const VkAllocationCallbacks* allocator = nullptr) {
  VkPipeline pipeline = VK_NULL_HANDLE;
  need(vkCreateGraphicsPipelines(scene.device(), cache, 1, &info, allocator, &pipeline), "vkCreateGraphicsPipelines");
  return pipeline;
}

void use_modules(const Scene& scene, Scene::Info& info) {
  info.stages[0].module = scene.module_of(scene.vertex_code());
  info.stages[1].module = scene.module_of(scene.fragment_code());
}

// The ways to come by pipelines, by name.

std::vector<VkPipeline> modules(const Scene& scene) {
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  return {create(scene, info.info)};
}

std::vector<VkPipeline> inline_code(const Scene& scene) {
  if (!scene.has_libraries()) end(kSkip, "no modules in the chains of stages");
  Scene::Info info;
  scene.fill(info);
  const VkShaderModuleCreateInfo vertex = scene.vertex_code(), fragment = scene.fragment_code();
  info.stages[0].pNext = &vertex;
  info.stages[1].pNext = &fragment;
  return {create(scene, info.info)};
}

std::vector<VkPipeline> mixed_code(const Scene& scene) {
  if (!scene.has_libraries()) end(kSkip, "no modules in the chains of stages");
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  const VkShaderModuleCreateInfo fragment = scene.fragment_code();
  info.stages[1].module = VK_NULL_HANDLE;
  info.stages[1].pNext = &fragment;
  return {create(scene, info.info)};
}

// A structure that would say something if its member were another one.
std::vector<VkPipeline> first_stream(const Scene& scene) {
  if (!scene.has_streams()) end(kSkip, "no streams");
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  const VkPipelineRasterizationStateStreamCreateInfoEXT stream = {
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT};
  info.raster.pNext = &stream;
  return {create(scene, info.info)};
}

std::vector<VkPipeline> destroyed_modules(const Scene& scene) {
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  const VkPipeline first = create(scene, info.info);
  for (VkPipelineShaderStageCreateInfo& stage : info.stages)
    vkDestroyShaderModule(scene.device(), stage.module, nullptr);
  use_modules(scene, info);
  return {first, create(scene, info.info)};
}

std::vector<VkPipeline> specialized(const Scene& scene) {
  std::vector<VkPipeline> pipelines;
  for (const std::int32_t bands : {2, 7}) {
    Scene::Info info;
    scene.fill(info);
    use_modules(scene, info);
    const VkSpecializationMapEntry entry = {0, 0, sizeof bands};
    const VkSpecializationInfo values = {1, &entry, sizeof bands, &bands};
    info.stages[1].pSpecializationInfo = &values;
    pipelines.push_back(create(scene, info.info));
  }
  return pipelines;
}

// Several create infos in one call, the second a derivative of the first, the third of the pipeline of an earlier call;
// a cache; feedback.
std::vector<VkPipeline> several(const Scene& scene) {
  VkPipelineCacheCreateInfo cache_info = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache cache = VK_NULL_HANDLE;
  need(vkCreatePipelineCache(scene.device(), &cache_info, nullptr, &cache), "vkCreatePipelineCache");
  std::array<Scene::Info, 4> infos;
  for (Scene::Info& info : infos) {
    scene.fill(info);
    use_modules(scene, info);
  }
  infos[0].info.flags = infos[3].info.flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
  infos[1].info.flags = infos[2].info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT;
  infos[1].info.basePipelineIndex = 0;
  const VkPipeline earlier = create(scene, infos[3].info, cache);
  infos[2].info.basePipelineHandle = earlier;
  VkPipelineCreationFeedback whole = {}, of_stages[2] = {};
  VkPipelineCreationFeedbackCreateInfo feedback = {VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO};
  feedback.pPipelineCreationFeedback = &whole;
  feedback.pipelineStageCreationFeedbackCount = 2;
  feedback.pPipelineStageCreationFeedbacks = of_stages;
  infos[2].rendering.pNext = &feedback;
  const VkGraphicsPipelineCreateInfo list[] = {infos[0].info, infos[1].info, infos[2].info};
  std::vector<VkPipeline> pipelines(3);
  need(vkCreateGraphicsPipelines(scene.device(), cache, 3, list, nullptr, pipelines.data()),
       "vkCreateGraphicsPipelines");
  if ((whole.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT) == 0) end(1, "the feedback does not come back");
  pipelines.push_back(earlier);
  return pipelines;
}

// The driver allocates by the program's functions, and frees by them.
std::vector<VkPipeline> allocation_callbacks(const Scene& scene) {
  static std::atomic<int> alive{0};
  VkAllocationCallbacks callbacks = {};
  callbacks.pfnAllocation = [](void*, std::size_t size, std::size_t alignment, VkSystemAllocationScope) -> void* {
    ++alive;
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  };
  callbacks.pfnReallocation = [](void*, void* from, std::size_t size, std::size_t, VkSystemAllocationScope) {
    if (from == nullptr) ++alive;
    return std::realloc(from, size);
  };
  callbacks.pfnFree = [](void*, void* memory) {
    if (memory != nullptr) --alive;
    std::free(memory);
  };
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  const VkPipeline gone = create(scene, info.info, VK_NULL_HANDLE, &callbacks);
  vkDestroyPipeline(scene.device(), gone, &callbacks);
  if (alive != 0) end(1, "what was allocated by the program's functions is not freed by them");
  return {create(scene, info.info)};
}

std::vector<VkPipeline> threads(const Scene& scene) {
  std::vector<VkPipeline> pipelines(8);
  std::vector<std::thread> running;
  for (std::size_t i = 0; i < pipelines.size(); ++i)
    running.emplace_back([&, i] {
      Scene::Info info;
      scene.fill(info);
      use_modules(scene, info);
      const std::int32_t bands = static_cast<std::int32_t>(i / 2);
      const VkSpecializationMapEntry entry = {0, 0, sizeof bands};
      const VkSpecializationInfo values = {1, &entry, sizeof bands, &bands};
      info.stages[1].pSpecializationInfo = &values;
      pipelines[i] = create(scene, info.info);
      for (auto& stage : info.stages) vkDestroyShaderModule(scene.device(), stage.module, nullptr);
    });
  for (std::thread& each : running) each.join();
  return {pipelines.begin(), pipelines.begin() + 4};
}

// Asks first whether the pipeline is to be had without compiling.
std::vector<VkPipeline> probed(const Scene& scene) {
  Scene::Info info;
  scene.fill(info);
  use_modules(scene, info);
  info.info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = vkCreateGraphicsPipelines(scene.device(), VK_NULL_HANDLE, 1, &info.info, nullptr, &pipeline);
  if (result != VK_PIPELINE_COMPILE_REQUIRED) need(result, "vkCreateGraphicsPipelines");
  info.info.flags = 0;
  return {create(scene, info.info)};
}

constexpr VkGraphicsPipelineLibraryFlagsEXT kInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kVertex = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragment = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kOutput = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

// A pipeline of libraries with these parts each.
VkPipeline of_libraries(const Scene& scene, const std::vector<VkGraphicsPipelineLibraryFlagsEXT>& parts,
                        bool optimized = false) {
  if (!scene.has_libraries()) end(kSkip, "no pipeline libraries");
  Scene::Info whole;
  scene.fill(whole);
  use_modules(scene, whole);
  std::vector<VkPipeline> libraries;
  for (const VkGraphicsPipelineLibraryFlagsEXT flags : parts) {
    VkGraphicsPipelineLibraryCreateInfoEXT part = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT};
    part.pNext = &whole.rendering;
    part.flags = flags;
    VkGraphicsPipelineCreateInfo info = whole.info;
    info.pNext = &part;
    info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    if (optimized) info.flags |= VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
    info.stageCount = ((flags & kVertex) != 0 ? 1u : 0u) + ((flags & kFragment) != 0 ? 1u : 0u);
    info.pStages = (flags & kVertex) != 0 ? whole.stages.data() : &whole.stages[1];
    libraries.push_back(create(scene, info));
  }
  VkPipelineLibraryCreateInfoKHR linking = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR};
  linking.libraryCount = static_cast<std::uint32_t>(libraries.size());
  linking.pLibraries = libraries.data();
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.pNext = &linking;
  if (optimized) info.flags = VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT;
  info.layout = whole.info.layout;
  info.basePipelineIndex = -1;
  return create(scene, info);
}

std::vector<VkPipeline> libraries(const Scene& scene) {
  return {of_libraries(scene, {kInput | kVertex, kFragment | kOutput})};
}

std::vector<VkPipeline> optimized_libraries(const Scene& scene) {
  return {of_libraries(scene, {kInput | kVertex, kFragment | kOutput}, true)};
}

std::vector<VkPipeline> library_of_all_shaders(const Scene& scene) {
  return {of_libraries(scene, {kInput, kVertex | kFragment, kOutput})};
}

// As programs do that have two ways: with libraries where the driver has them, else whole.
std::vector<VkPipeline> libraries_if_there(const Scene& scene) {
  return scene.has_libraries() ? libraries(scene) : modules(scene);
}

struct Way {
  const char* name;
  std::vector<VkPipeline> (*make)(const Scene&);
};
constexpr Way kWays[] = {
    {"modules", modules},
    {"inline", inline_code},
    {"mixed", mixed_code},
    {"first-stream", first_stream},
    {"destroyed-modules", destroyed_modules},
    {"specialized", specialized},
    {"several", several},
    {"allocation-callbacks", allocation_callbacks},
    {"threads", threads},
    {"probed", probed},
    {"libraries", libraries},
    {"optimized-libraries", optimized_libraries},
    {"library-of-all-shaders", library_of_all_shaders},
    {"libraries-if-there", libraries_if_there},
};

}  // namespace

int main(int argc, char** argv) {
  const bool destroys = argc == 5 && std::strcmp(argv[4], "destroy") == 0;
  if (argc != 4 && !destroys) end(1, "usage: layer_scene WAY FOLDER FRAME [destroy]");
  for (const Way& way : kWays) {
    if (std::strcmp(way.name, argv[1]) != 0) continue;
    Scene scene(argv[2]);
    const std::vector<VkPipeline> pipelines = way.make(scene);
    scene.draw(pipelines);
    scene.write(argv[3]);
    if (destroys) scene.destroy(pipelines);
    return 0;
  }
  end(1, std::string("there is no way '") + argv[1] + "'");
}
