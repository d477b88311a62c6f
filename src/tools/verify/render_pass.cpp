#include "verify/render_pass.h"

#include <algorithm>

#include "verify/formats.h"

namespace varylink::verify {
namespace {

// Descriptions, and references of the one subpass. The vectors are filled once, so pointers into them stay valid.
struct Attachments {
  std::vector<VkAttachmentDescription> descriptions;
  std::vector<VkAttachmentReference> colors, resolves, inputs;
  VkAttachmentReference depth{VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED};

  VkAttachmentReference add(const VkAttachmentDescription& description, VkImageLayout layout) {
    descriptions.push_back(description);
    return {static_cast<std::uint32_t>(descriptions.size()) - 1, layout};
  }

  VkSubpassDescription subpass() const {
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = static_cast<std::uint32_t>(colors.size());
    subpass.pColorAttachments = colors.data();
    subpass.pResolveAttachments = resolves.empty() ? nullptr : resolves.data();
    subpass.pDepthStencilAttachment = &depth;
    subpass.inputAttachmentCount = static_cast<std::uint32_t>(inputs.size());
    subpass.pInputAttachments = inputs.data();
    return subpass;
  }
};

// What has one sample per pixel is copied from afterwards.
VkAttachmentDescription cleared(VkFormat format, VkSampleCountFlagBits samples, VkImageLayout layout) {
  VkAttachmentDescription attachment{};
  attachment.format = format;
  attachment.samples = samples;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  attachment.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  attachment.finalLayout = samples == VK_SAMPLE_COUNT_1_BIT ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : layout;
  return attachment;
}

VkAttachmentDescription loaded(const InputAttachment& input) {
  VkAttachmentDescription attachment = cleared(input.format, input.samples, input.layout);
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  attachment.initialLayout = attachment.finalLayout = input.layout;
  return attachment;
}

Attachments attachments_of(const Needs& needs, const std::vector<InputAttachment>& inputs) {
  constexpr VkImageLayout kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  constexpr VkImageLayout kDepth = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  Attachments result;
  for (const Target& target : needs.targets)
    result.colors.push_back(result.add(cleared(color_format(target), needs.samples, kColor), kColor));
  if (needs.samples != VK_SAMPLE_COUNT_1_BIT)
    for (const Target& target : needs.targets)
      result.resolves.push_back(result.add(cleared(color_format(target), VK_SAMPLE_COUNT_1_BIT, kColor), kColor));
  if (needs.depth_format != VK_FORMAT_UNDEFINED)
    result.depth = result.add(cleared(needs.depth_format, needs.samples, kDepth), kDepth);
  for (const InputAttachment& input : inputs) {
    result.inputs.resize(std::max<std::size_t>(result.inputs.size(), input.index + 1),
                         {VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED});
    result.inputs[input.index] = result.add(loaded(input), input.layout);
  }
  return result;
}

}  // namespace

VkFormat full_format(varyings::ScalarKind kind) {
  if (kind == varyings::ScalarKind::sint) return VK_FORMAT_R32G32B32A32_SINT;
  if (kind == varyings::ScalarKind::uint) return VK_FORMAT_R32G32B32A32_UINT;
  return VK_FORMAT_R32G32B32A32_SFLOAT;
}

VkFormat color_format(const Target& target) {
  return target.format.empty() ? full_format(target.kind) : format_named(target.format);
}

Result<std::unique_ptr<RenderPass>> RenderPass::create(const Gpu& gpu, const Needs& needs,
                                                       const std::vector<InputAttachment>& inputs) {
  std::unique_ptr<RenderPass> result(new RenderPass);
  const Attachments attachments = attachments_of(needs, inputs);
  const VkSubpassDescription subpass = attachments.subpass();
  const std::uint32_t view_mask = (1u << needs.views) - 1;
  VkRenderPassMultiviewCreateInfo multiview{VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
  multiview.subpassCount = 1;
  multiview.pViewMasks = &view_mask;
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  if (needs.views > 0) info.pNext = &multiview;
  info.attachmentCount = static_cast<std::uint32_t>(attachments.descriptions.size());
  info.pAttachments = attachments.descriptions.data();
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  if (const VkResult made = vkCreateRenderPass(gpu.device, &info, nullptr, &result->handle_))
    return vulkan_error("render pass", made);
  result->cleanup_.add([device = gpu.device, pass = result->handle_] { vkDestroyRenderPass(device, pass, nullptr); });
  return result;
}

}  // namespace varylink::verify
