#include "verify/pipelines.h"

#include <algorithm>
#include <cstring>
#include <list>

#include "verify/values.h"

namespace varylink::verify {
namespace {

VkShaderStageFlagBits stage_flag(Stage stage) {
  switch (stage) {
    case Stage::vertex: return VK_SHADER_STAGE_VERTEX_BIT;
    case Stage::tess_control: return VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    case Stage::tess_eval: return VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    case Stage::geometry: return VK_SHADER_STAGE_GEOMETRY_BIT;
    case Stage::task: return VK_SHADER_STAGE_TASK_BIT_EXT;
    case Stage::mesh: return VK_SHADER_STAGE_MESH_BIT_EXT;
    default: return VK_SHADER_STAGE_FRAGMENT_BIT;
  }
}

// Specialization constants given to a stage: those of all stages, since entries for ids that a stage does not have are
// allowed, and the linked one may have more.
struct Specialization {
  std::vector<VkSpecializationMapEntry> entries;
  std::vector<std::uint64_t> values;
  VkSpecializationInfo info{};

  Specialization(const Needs& needs, const Shader& shader, SpecValues values_are, std::uint32_t stage) {
    for (const SpecConstant& constant : shader.given) add(constant, constant.value);
    if (values_are == SpecValues::others) stage = 0;
    if (values_are != SpecValues::defaults)
      for (const SpecConstant& constant : needs.spec_constants) add(constant, other_value(constant, stage));
    info.mapEntryCount = static_cast<std::uint32_t>(entries.size());
    info.pMapEntries = entries.data();
    info.dataSize = values.size() * sizeof(std::uint64_t);
    info.pData = values.data();
  }
  Specialization(const Specialization&) = delete;

 private:
  void add(const SpecConstant& constant, std::uint64_t value) {
    const auto known = [&](const VkSpecializationMapEntry& entry) { return entry.constantID == constant.id; };
    if (std::any_of(entries.begin(), entries.end(), known)) return;
    const auto offset = static_cast<std::uint32_t>(values.size() * sizeof(std::uint64_t));
    entries.push_back({constant.id, offset, constant.type.width / 8});
    values.push_back(value);
  }
};

// All fixed-function state, with the arrays it points to.
class State {
 public:
  State(const Needs& needs, const Strategy& strategy, VkExtent2D extent) {
    set_vertex_input(needs);
    assembly.topology = strategy.topology;
    tessellation.patchControlPoints = std::max(1u, needs.patch_size);
    set_viewports(needs, extent);
    raster.polygonMode = needs.polygon_mode;
    raster.cullMode = VK_CULL_MODE_NONE;
    raster.lineWidth = 1.0f;
    multisample.rasterizationSamples = needs.samples;
    depth.depthTestEnable = VK_TRUE;
    depth.depthWriteEnable = VK_TRUE;
    depth.depthCompareOp = VK_COMPARE_OP_ALWAYS;
    set_blend(needs);
  }
  State(const State&) = delete;

  VkPipelineVertexInputStateCreateInfo vertex_input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  VkPipelineTessellationStateCreateInfo tessellation{VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO};
  VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  VkPipelineMultisampleStateCreateInfo multisample{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};

 private:
  void set_vertex_input(const Needs& needs) {
    bindings_[0] = {0, needs.vertex_stride, VK_VERTEX_INPUT_RATE_VERTEX};
    bindings_[1] = {1, needs.vertex_stride, VK_VERTEX_INPUT_RATE_INSTANCE};
    for (const Attribute& attribute : needs.attributes)
      attributes_.push_back({attribute.location, attribute.per_instance ? 1u : 0u, attribute.format, attribute.offset});
    if (attributes_.empty()) return;
    vertex_input.vertexBindingDescriptionCount = kVertexBindings;
    vertex_input.pVertexBindingDescriptions = bindings_;
    vertex_input.vertexAttributeDescriptionCount = static_cast<std::uint32_t>(attributes_.size());
    vertex_input.pVertexAttributeDescriptions = attributes_.data();
  }

  void set_viewports(const Needs& needs, VkExtent2D extent) {
    // Further viewports are smaller, so that a wrong viewport index is seen.
    for (std::uint32_t i = 0; i < needs.viewports; ++i) {
      const float scale = 1.0f / static_cast<float>(i + 1);
      viewports_.push_back(
          {0, 0, static_cast<float>(extent.width) * scale, static_cast<float>(extent.height) * scale, 0, 1});
      scissors_.push_back({{0, 0}, extent});
    }
    viewport.viewportCount = viewport.scissorCount = needs.viewports;
    viewport.pViewports = viewports_.data();
    viewport.pScissors = scissors_.data();
  }

  void set_blend(const Needs& needs) {
    VkPipelineColorBlendAttachmentState attachment{};
    attachment.colorWriteMask = 0xf;
    if (needs.dual_source) {  // without blending the second source would go unseen
      attachment.blendEnable = VK_TRUE;
      attachment.srcColorBlendFactor = attachment.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
      attachment.dstColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR;
      attachment.dstAlphaBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA;
    }
    blends_.assign(needs.targets.size(), attachment);
    for (std::size_t i = 0; i < needs.targets.size(); ++i) {
      if (needs.targets[i].kind != varyings::ScalarKind::floating) blends_[i].blendEnable = VK_FALSE;
      blends_[i].colorWriteMask = needs.targets[i].present ? needs.targets[i].write_mask : 0;
    }
    blend.attachmentCount = static_cast<std::uint32_t>(blends_.size());
    blend.pAttachments = blends_.data();
  }

  VkVertexInputBindingDescription bindings_[kVertexBindings] = {};
  std::vector<VkVertexInputAttributeDescription> attributes_;
  std::vector<VkViewport> viewports_;
  std::vector<VkRect2D> scissors_;
  std::vector<VkPipelineColorBlendAttachmentState> blends_;
};

}  // namespace

Result<void> Pipelines::create_modules() {
  for (const Shader& shader : shaders_) {
    VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.codeSize = shader.words.size() * 4;
    info.pCode = shader.words.data();
    VkShaderModule module = VK_NULL_HANDLE;
    if (const VkResult result = vkCreateShaderModule(gpu_.device, &info, nullptr, &module))
      return vulkan_error("shader module", result);
    modules_.push_back(module);
    cleanup_.add([device = gpu_.device, module] { vkDestroyShaderModule(device, module, nullptr); });
  }
  return {};
}

Result<VkPipeline> Pipelines::get(const Strategy& strategy) {
  for (const Made& made : made_)
    if ((topology_is_dynamic() || made.topology == strategy.topology) && made.spec_values == strategy.spec_values)
      return made.pipeline;
  if (modules_.empty())
    if (Result<void> done = create_modules(); !done) return done.error();
  Result<VkPipeline> pipeline = create(strategy);
  if (pipeline) made_.push_back({strategy.topology, strategy.spec_values, *pipeline});
  return pipeline;
}

Result<VkPipeline> Pipelines::create(const Strategy& strategy) {
  std::list<Specialization> specializations;  // stages point to them
  std::vector<VkPipelineShaderStageCreateInfo> stages;
  for (std::size_t i = 0; i < shaders_.size(); ++i) {
    VkPipelineShaderStageCreateInfo stage{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    stage.stage = stage_flag(shaders_[i].stage);
    stage.module = modules_[i];
    stage.pName = shaders_[i].entry.name.c_str();
    specializations.emplace_back(needs_, shaders_[i], strategy.spec_values, static_cast<std::uint32_t>(i));
    stage.pSpecializationInfo = &specializations.back().info;
    stages.push_back(stage);
  }
  const State state(needs_, strategy, target_.extent);
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.flags = target_.flags;
  info.stageCount = static_cast<std::uint32_t>(stages.size());
  info.pStages = stages.data();
  info.pVertexInputState = needs_.has(Stage::mesh) ? nullptr : &state.vertex_input;
  info.pInputAssemblyState = needs_.has(Stage::mesh) ? nullptr : &state.assembly;
  info.pTessellationState = needs_.patch_size > 0 ? &state.tessellation : nullptr;
  info.pViewportState = &state.viewport;
  info.pRasterizationState = &state.raster;
  info.pMultisampleState = &state.multisample;
  info.pDepthStencilState = &state.depth;
  info.pColorBlendState = &state.blend;
  const VkDynamicState topology = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY;
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 1;
  dynamic.pDynamicStates = &topology;
  if (topology_is_dynamic() && !needs_.has(Stage::mesh)) info.pDynamicState = &dynamic;
  info.layout = target_.layout;
  info.renderPass = target_.render_pass;
  VkPipeline pipeline = VK_NULL_HANDLE;
  if (const VkResult result = vkCreateGraphicsPipelines(gpu_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline))
    return vulkan_error("pipeline", result);
  cleanup_.add([device = gpu_.device, pipeline] { vkDestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

}  // namespace varylink::verify
