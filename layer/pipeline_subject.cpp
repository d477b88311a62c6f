#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "chain.h"
#include "formats/chained_structures.h"
#include "formats/create_info.h"
#include "formats/fossilize/vulkan_numbers.h"
#include "state/format_names.h"
#include "subject.h"

namespace varylink::layer {
namespace {

using formats::LibraryPart;
using formats::fossilize::dynamic_state_name;
using formats::fossilize::topology_name;
using state::format_name;

// Enumerants that the headers of Debian 12 lack.
constexpr std::uint32_t kCreateFlags2 = 1000470005;  // VkPipelineCreateFlags2CreateInfo
struct CreateFlags2 {
  VkStructureType sType;
  const void* pNext;
  std::uint64_t flags;
};
constexpr std::uint32_t kAttachmentLocations = 1000232001;  // VkRenderingAttachmentLocationInfo
struct AttachmentLocations {
  VkStructureType sType;
  const void* pNext;
  std::uint32_t count;
  const std::uint32_t* locations;
};

struct Sized {
  std::uint32_t type;
  std::size_t bytes;
};
constexpr Sized kInStageChain[] = {
    {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
     sizeof(VkPipelineShaderStageRequiredSubgroupSizeCreateInfo)},
    {VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT, sizeof(VkPipelineRobustnessCreateInfoEXT)},
    {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, sizeof(VkDebugUtilsObjectNameInfoEXT)},
    {VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT,
     sizeof(VkShaderModuleValidationCacheCreateInfoEXT)},
    {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, sizeof(VkShaderModuleCreateInfo)},
};

class Reader {
 public:
  Reader(const VkGraphicsPipelineCreateInfo& info, const Objects& objects)
      : info_(info), objects_(objects), facts_(facts_of(info)) {}

  Subject read() {
    subject_.why_not = refusal();
    for (std::uint32_t i = 0; i < info_.stageCount && subject_.why_not.empty(); ++i) read_stage(info_.pStages[i]);
    if (subject_.why_not.empty()) subject_.why_not = formats::why_not_linked(subject_);
    if (subject_.why_not.empty()) subject_.why_not = differing_robustness();
    if (subject_.why_not.empty()) read_state();
    return std::move(subject_);
  }

 private:
  static formats::CreationFacts facts_of(const VkGraphicsPipelineCreateInfo& info) {
    formats::CreationFacts facts;
    const auto* flags2 = find_in_chain<CreateFlags2>(info.pNext, kCreateFlags2);
    facts.flags = flags2 != nullptr ? flags2->flags : std::uint64_t{info.flags};
    const auto* part = find_in_chain<VkGraphicsPipelineLibraryCreateInfoEXT>(
        info.pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
    if (part != nullptr) facts.library_parts = part->flags;
    const auto* libraries =
        find_in_chain<VkPipelineLibraryCreateInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
    if (libraries != nullptr) facts.library_count = libraries->libraryCount;
    return facts;
  }

  std::string refusal() {
    subject_.only_if_known = facts_.only_if_known();
    if (std::string reason = facts_.why_not(); !reason.empty()) return reason;
    understanding_.add({formats::taken_away_by_flags(facts_.flags), {}});
    understanding_.add_chain(info_.pNext);
    for (std::uint32_t i = 0; i < info_.stageCount; ++i) understanding_.add_chain(info_.pStages[i].pNext);
    return understanding_.why_not;
  }

  void read_stage(const VkPipelineShaderStageCreateInfo& given) {
    subject_.why_not = structure_not_copied(given.pNext, size_in_stage_chain);
    if (subject_.why_not.empty())
      add_stage(subject_, {given.stage, given.pName, given.pSpecializationInfo}, words_of(given));
  }

  std::shared_ptr<const Words> words_of(const VkPipelineShaderStageCreateInfo& given) const {
    if (given.module != VK_NULL_HANDLE) return objects_.modules.find(given.module);
    const auto* code =
        find_in_chain<VkShaderModuleCreateInfo>(given.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    if (code == nullptr) return nullptr;
    return std::make_shared<const Words>(code->pCode, code->pCode + code->codeSize / sizeof(std::uint32_t));
  }

  std::string differing_robustness() const {
    const auto of = [&](std::uint32_t stage) {
      const auto* found = find_in_chain<VkPipelineRobustnessCreateInfoEXT>(
          info_.pStages[stage].pNext, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
      return found == nullptr
                 ? std::optional<std::array<int, 4>>()
                 : std::array<int, 4>{found->storageBuffers, found->uniformBuffers, found->vertexInputs, found->images};
    };
    for (std::uint32_t i = 1; i < info_.stageCount; ++i)
      if (of(i) != of(0)) return formats::kDifferingRobustness;
    return {};
  }

  bool is_dynamic(VkDynamicState state) const {
    const VkPipelineDynamicStateCreateInfo* dynamic = info_.pDynamicState;
    return dynamic != nullptr &&
           std::find(dynamic->pDynamicStates, dynamic->pDynamicStates + dynamic->dynamicStateCount, state) !=
               dynamic->pDynamicStates + dynamic->dynamicStateCount;
  }

  // Without rasterization Vulkan ignores what comes behind it.
  bool rasterizes() const {
    return info_.pRasterizationState == nullptr || info_.pRasterizationState->rasterizerDiscardEnable == VK_FALSE ||
           is_dynamic(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
  }

  void read_state() {
    if (!subject_.has(Stage::mesh) && facts_.has(LibraryPart::vertex_input)) read_vertex_input();
    if (info_.pTessellationState != nullptr && subject_.has(Stage::tess_control))
      state_.patch_control_points = info_.pTessellationState->patchControlPoints;
    if (const auto* rasterization = info_.pRasterizationState) {
      // rasterizerDiscardEnable would let linking leave a stage out, and what drivers report is by stage.
      understanding_.add_chain(rasterization->pNext);
      const auto* provoking = find_in_chain<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
          rasterization->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
      const bool is_last =
          provoking != nullptr && provoking->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
      state_.provoking_vertex = is_last ? "LAST_VERTEX_EXT" : "FIRST_VERTEX_EXT";
    }
    if (rasterizes() && facts_.has(LibraryPart::fragment_output)) read_rasterized();
    if (const VkPipelineDynamicStateCreateInfo* dynamic = info_.pDynamicState)
      for (std::uint32_t i = 0; i < dynamic->dynamicStateCount; ++i)
        state_.dynamic_states.push_back(dynamic_state_name(static_cast<std::uint32_t>(dynamic->pDynamicStates[i])));
    if (subject_.has(Stage::geometry) && is_dynamic(VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT))
      understanding_.add({{}, formats::kDynamicStream});
    state_.taken_away = understanding_.taken_away;
    subject_.why_not = understanding_.why_not;
    subject_.description.state = formats::state_of(state_);
    subject_.description.state.no_fragment = !subject_.has(Stage::fragment);
    if (info_.layout != VK_NULL_HANDLE)
      if (const auto layout = objects_.pipeline_layouts.find(info_.layout)) subject_.description.layout = *layout;
  }

  void read_vertex_input() {
    if (info_.pVertexInputState != nullptr && !is_dynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
      understanding_.add_chain(info_.pVertexInputState->pNext);
    if (info_.pInputAssemblyState != nullptr)
      state_.topology = topology_name(static_cast<std::uint32_t>(info_.pInputAssemblyState->topology));
    const VkPipelineVertexInputStateCreateInfo* input = info_.pVertexInputState;
    if (is_dynamic(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT) || input == nullptr) return;
    for (std::uint32_t i = 0; i < input->vertexBindingDescriptionCount; ++i) {
      const VkVertexInputBindingDescription& each = input->pVertexBindingDescriptions[i];
      state_.binding_is_per_instance[each.binding] = each.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
    }
    for (std::uint32_t i = 0; i < input->vertexAttributeDescriptionCount; ++i) {
      const VkVertexInputAttributeDescription& each = input->pVertexAttributeDescriptions[i];
      state_.attributes.push_back({each.location, each.binding, format_name(static_cast<std::uint32_t>(each.format))});
    }
  }

  void read_rasterized() {
    if (const VkPipelineMultisampleStateCreateInfo* samples = info_.pMultisampleState) {
      state_.samples = static_cast<std::uint32_t>(samples->rasterizationSamples);
      state_.sample_shading = samples->sampleShadingEnable != VK_FALSE;
      state_.alpha_to_coverage = samples->alphaToCoverageEnable != VK_FALSE;
      understanding_.add_chain(samples->pNext);
    }
    if (info_.pViewportState != nullptr) understanding_.add_chain(info_.pViewportState->pNext);
    read_attachments();
    if (uses_color() && info_.pColorBlendState != nullptr) read_blending(*info_.pColorBlendState);
  }

  // Vulkan ignores the state of blending where no color attachment is used.
  bool uses_color() const {
    return state_.color_formats && std::any_of(state_.color_formats->begin(), state_.color_formats->end(),
                                               [](const std::string& format) { return format != "UNDEFINED"; });
  }

  // `pAttachments` is ignored, too, where all that it says is dynamic (VkPipelineColorBlendStateCreateInfo).
  void read_blending(const VkPipelineColorBlendStateCreateInfo& blend) {
    understanding_.add_chain(blend.pNext);
    if (is_dynamic(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT) || blend.pAttachments == nullptr) return;
    for (std::uint32_t i = 0; i < blend.attachmentCount; ++i)
      state_.write_masks.push_back(blend.pAttachments[i].colorWriteMask);
  }

  void read_attachments() {
    if (info_.renderPass != VK_NULL_HANDLE) {
      const auto pass = objects_.render_passes.find(info_.renderPass);
      if (!pass || info_.subpass >= pass->size()) return understanding_.add({{}, formats::kUnknownRenderPass});
      const Subpass& subpass = (*pass)[info_.subpass];
      state_.color_formats = subpass.color_formats;
      state_.depth_format = subpass.depth_format;
      state_.stencil_format = subpass.stencil_format;
      state_.view_mask = subpass.view_mask;
      return understanding_.add(subpass.understanding);
    }
    const auto* rendering =
        find_in_chain<VkPipelineRenderingCreateInfo>(info_.pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    if (rendering == nullptr) return;
    state_.color_formats.emplace();
    for (std::uint32_t i = 0; i < rendering->colorAttachmentCount; ++i)
      state_.color_formats->push_back(format_name(static_cast<std::uint32_t>(rendering->pColorAttachmentFormats[i])));
    state_.depth_format = format_name(static_cast<std::uint32_t>(rendering->depthAttachmentFormat));
    state_.stencil_format = format_name(static_cast<std::uint32_t>(rendering->stencilAttachmentFormat));
    state_.view_mask = rendering->viewMask;
    const auto* map = find_in_chain<AttachmentLocations>(info_.pNext, kAttachmentLocations);
    if (map != nullptr && map->locations != nullptr)
      state_.attachment_locations.emplace(map->locations, map->locations + map->count);
  }

  const VkGraphicsPipelineCreateInfo& info_;
  const Objects& objects_;
  const formats::CreationFacts facts_;
  Subject subject_;
  formats::CreateInfo state_;
  Understanding understanding_;
};

}  // namespace

Subject read_subject(const VkGraphicsPipelineCreateInfo& info, const Objects& objects) {
  return Reader(info, objects).read();
}

std::size_t size_in_stage_chain(std::uint32_t structure_type) {
  for (const Sized& each : kInStageChain)
    if (each.type == structure_type) return each.bytes;
  return 0;
}

}  // namespace varylink::layer
