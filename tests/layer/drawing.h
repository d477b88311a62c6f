// A device with an image that is drawn into, for programs that know nothing of the layer.
#pragma once

#include <vulkan/vulkan.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

constexpr std::uint32_t kSize = 64;  // pixels of the image, each way
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr int kSkip = 77;

[[noreturn]] void end(int status, const std::string& why);
void need(VkResult result, const char* what);

// Words of a module; none if there is no such file.
std::vector<std::uint32_t> read_words(const std::string& name);

using Bind = std::function<void(VkCommandBuffer)>;  // binds the shaders of a draw

// Nothing is destroyed one by one: the process ends.
class Scene {
 public:
  // `folder` has scene.vert.spv, scene.frag.spv and perhaps scene.geom.spv.
  explicit Scene(const std::string& folder);

  const std::string& folder() const { return folder_; }
  VkPhysicalDevice physical() const { return physical_; }
  VkDevice device() const { return device_; }
  bool has_libraries() const { return has_libraries_; }
  bool has_streams() const { return has_streams_; }
  bool has_dynamic_blending() const { return has_dynamic_blending_; }
  bool has_shader_objects() const { return has_shader_objects_; }
  VkPushConstantRange push_constants() const;
  bool has_geometry() const { return has_geometry_; }
  VkShaderModuleCreateInfo geometry_code() const { return code_of(geometry_); }
  VkShaderModuleCreateInfo vertex_code() const { return code_of(vertex_); }
  VkShaderModuleCreateInfo fragment_code() const { return code_of(fragment_); }
  VkShaderModule module_of(const VkShaderModuleCreateInfo& code) const {
    VkShaderModule module = VK_NULL_HANDLE;
    need(vkCreateShaderModule(device_, &code, nullptr, &module), "vkCreateShaderModule");
    return module;
  }

  // Draws with each, with an offset and a tint of its own.
  void draw(const std::vector<Bind>& binds);
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

  std::string folder_;
  std::vector<std::uint32_t> vertex_, fragment_, geometry_;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkImage image_ = VK_NULL_HANDLE;
  VkImageView view_ = VK_NULL_HANDLE;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory buffer_memory_ = VK_NULL_HANDLE;
  bool has_libraries_ = false, has_streams_ = false, has_dynamic_blending_ = false, has_shader_objects_ = false,
       has_geometry_ = false;
};
