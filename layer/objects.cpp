#include "objects.h"

#include "chain.h"
#include "formats/create_info.h"
#include "state/format_names.h"

namespace varylink::layer {
namespace {

using state::format_name;

// Both versions of the structures have the same members.
template <typename Info>
std::string format_of(const Info& info, std::uint32_t attachment) {
  if (attachment >= info.attachmentCount) return "UNDEFINED";  // VK_ATTACHMENT_UNUSED
  return format_name(static_cast<std::uint32_t>(info.pAttachments[attachment].format));
}

template <typename Info, typename Description>
Subpass read_subpass(const Info& info, const Description& description) {
  Subpass subpass;
  for (std::uint32_t i = 0; i < description.colorAttachmentCount; ++i)
    subpass.color_formats.push_back(format_of(info, description.pColorAttachments[i].attachment));
  const auto* depth = description.pDepthStencilAttachment;
  const std::string format = depth == nullptr ? "UNDEFINED" : format_of(info, depth->attachment);
  subpass.depth_format = formats::depth_part(format);
  subpass.stencil_format = formats::stencil_part(format);
  return subpass;
}

}  // namespace

std::optional<link::PipelineLayout> read(const VkDescriptorSetLayoutCreateInfo& info) {
  if ((info.flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR) != 0) return std::nullopt;
  Understanding understanding;
  understanding.add_chain(info.pNext);
  if (!understanding.why_not.empty()) return std::nullopt;
  link::PipelineLayout layout;
  for (std::uint32_t i = 0; i < info.bindingCount; ++i)
    layout.bindings.push_back({0, info.pBindings[i].binding, formats::stages_of_mask(info.pBindings[i].stageFlags)});
  return layout;
}

std::optional<link::PipelineLayout> read(const VkPipelineLayoutCreateInfo& info, const Objects& objects) {
  Understanding understanding;
  understanding.add_chain(info.pNext);
  if (!understanding.why_not.empty()) return std::nullopt;
  link::PipelineLayout layout;
  for (std::uint32_t set = 0; set < info.setLayoutCount; ++set) {
    if (info.pSetLayouts[set] == VK_NULL_HANDLE) continue;
    const auto known = objects.set_layouts.find(info.pSetLayouts[set]);
    if (!known || !*known) return std::nullopt;
    for (link::PipelineLayout::Binding binding : (*known)->bindings) {
      binding.set = set;
      layout.bindings.push_back(std::move(binding));
    }
  }
  for (std::uint32_t i = 0; i < info.pushConstantRangeCount; ++i) {
    const VkPushConstantRange& range = info.pPushConstantRanges[i];
    layout.push_constants.push_back({range.offset, range.size, formats::stages_of_mask(range.stageFlags)});
  }
  return layout;
}

std::vector<Subpass> read(const VkRenderPassCreateInfo& info) {
  std::vector<Subpass> subpasses;
  const auto* multiview =
      find_in_chain<VkRenderPassMultiviewCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
  for (std::uint32_t i = 0; i < info.subpassCount; ++i) {
    Subpass& subpass = subpasses.emplace_back(read_subpass(info, info.pSubpasses[i]));
    subpass.understanding.add_chain(info.pNext);
    if (multiview != nullptr && i < multiview->subpassCount) subpass.view_mask = multiview->pViewMasks[i];
  }
  return subpasses;
}

std::vector<Subpass> read(const VkRenderPassCreateInfo2& info) {
  std::vector<Subpass> subpasses;
  for (std::uint32_t i = 0; i < info.subpassCount; ++i) {
    Subpass& subpass = subpasses.emplace_back(read_subpass(info, info.pSubpasses[i]));
    subpass.understanding.add_chain(info.pNext);
    subpass.understanding.add_chain(info.pSubpasses[i].pNext);
    for (std::uint32_t k = 0; k < info.attachmentCount; ++k)
      subpass.understanding.add_chain(info.pAttachments[k].pNext);
    subpass.view_mask = info.pSubpasses[i].viewMask;
  }
  return subpasses;
}

}  // namespace varylink::layer
