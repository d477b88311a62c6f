#include "drawing.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace {

struct Push {
  float tint[4];
  float offset[2];
};

// Debian 12's headers lack it.
constexpr const char* kShaderObjects = "VK_EXT_shader_object";
struct ShaderObjectFeatures {
  VkStructureType sType = static_cast<VkStructureType>(1000482000);
  void* pNext = nullptr;
  VkBool32 shaderObject = VK_TRUE;
};

}  // namespace

void end(int status, const std::string& why) {
  std::fprintf(stderr, "layer_scene: %s\n", why.c_str());
  std::exit(status);
}
void need(VkResult result, const char* what) {
  if (result != VK_SUCCESS) end(1, std::string(what) + " gave " + std::to_string(result));
}

std::vector<std::uint32_t> read_words(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (bytes.size() % 4 != 0) end(1, name + " is no module");
  std::vector<std::uint32_t> words(bytes.size() / 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

Scene::Scene(const std::string& folder)
    : folder_(folder),
      vertex_(read_words(folder + "/scene.vert.spv")),
      fragment_(read_words(folder + "/scene.frag.spv")),
      geometry_(read_words(folder + "/scene.geom.spv")) {
  if (vertex_.empty() || fragment_.empty()) end(1, folder + " has no shaders");
  make_device();
  make_layout();
  make_image();
}

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
  const auto has = [&](const char* name) {
    return std::any_of(extensions.begin(), extensions.end(),
                       [&](const VkExtensionProperties& each) { return std::strcmp(each.extensionName, name) == 0; });
  };
  has_libraries_ = has(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME);
  has_shader_objects_ = has(kShaderObjects);
  has_streams_ = has(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME);
  has_dynamic_blending_ = has(VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME);
  std::vector<const char*> names;
  VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT};
  libraries.graphicsPipelineLibrary = VK_TRUE;
  ShaderObjectFeatures shader_objects;
  VkPhysicalDeviceVulkan13Features features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  features.dynamicRendering = VK_TRUE;
  features.pipelineCreationCacheControl = VK_TRUE;
  features.maintenance4 = VK_TRUE;
  features.subgroupSizeControl = VK_TRUE;
  if (has_libraries_) {
    names = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
    features.pNext = &libraries;
  }
  if (has_shader_objects_) {
    names.push_back(kShaderObjects);
    shader_objects.pNext = features.pNext;
    features.pNext = &shader_objects;
  }
  VkPhysicalDeviceTransformFeedbackFeaturesEXT streams = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, features.pNext, VK_TRUE, VK_TRUE};
  if (has_streams_) {
    names.push_back(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME);
    features.pNext = &streams;
  }
  VkPhysicalDeviceExtendedDynamicState3FeaturesEXT blending = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT, features.pNext};
  blending.extendedDynamicState3ColorBlendEnable = VK_TRUE;
  blending.extendedDynamicState3ColorBlendEquation = VK_TRUE;
  blending.extendedDynamicState3ColorWriteMask = VK_TRUE;
  if (has_dynamic_blending_) {
    names.push_back(VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME);
    features.pNext = &blending;
  }
  VkPhysicalDeviceFeatures available = {}, enabled = {};
  vkGetPhysicalDeviceFeatures(physical_, &available);
  enabled.geometryShader = available.geometryShader;
  has_geometry_ = available.geometryShader != VK_FALSE && !geometry_.empty();
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo device = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  device.pNext = &features;
  device.pEnabledFeatures = &enabled;
  device.queueCreateInfoCount = 1;
  device.pQueueCreateInfos = &queue;
  device.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
  device.ppEnabledExtensionNames = names.data();
  if (vkCreateDevice(physical_, &device, nullptr, &device_) != VK_SUCCESS) end(kSkip, "no such device");
  vkGetDeviceQueue(device_, 0, 0, &queue_);
}

VkPushConstantRange Scene::push_constants() const {
  return {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(Push)};
}

void Scene::make_layout() {
  const VkPushConstantRange range = push_constants();
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

void Scene::draw(const std::vector<Bind>& binds) {
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
  for (std::size_t i = 0; i < binds.size(); ++i) {
    const float step = static_cast<float>(i);
    const Push push = {{1.0f - step * 0.2f, 0.5f + step * 0.1f, 0.75f, 1.0f}, {step * 0.3f, step * 0.15f}};
    binds[i](commands);
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
  // The system cannot read pages that a layer guards (GFXReconstruct).
  const std::string copy(static_cast<const char*>(bytes), kSize * kSize * 4);
  std::ofstream file(name, std::ios::binary);
  if (!file.write(copy.data(), static_cast<std::streamsize>(copy.size())).flush()) end(1, name + " cannot be written");
}
