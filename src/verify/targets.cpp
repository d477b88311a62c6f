#include "verify/targets.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace varylink::verify {
namespace {

VkFormat color_format(varyings::ScalarKind kind) {
  if (kind == varyings::ScalarKind::sint) return VK_FORMAT_R32G32B32A32_SINT;
  if (kind == varyings::ScalarKind::uint) return VK_FORMAT_R32G32B32A32_UINT;
  return VK_FORMAT_R32G32B32A32_SFLOAT;
}

VkClearValue clear_value(bool color, varyings::ScalarKind kind) {
  VkClearValue value{};
  if (!color) {
    value.depthStencil = {kClearDepth, 0};
    return value;
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (kind == varyings::ScalarKind::floating)
      value.color.float32[i] = kClearFloat;
    else
      value.color.uint32[i] = kClearInt;
  }
  return value;
}

// Attachment references of the one subpass. The vectors are filled once, so pointers into them stay valid.
struct SubpassReferences {
  std::vector<VkAttachmentReference> colors, resolves, inputs;
  VkAttachmentReference depth{VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED};

  VkSubpassDescription description() const {
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

VkAttachmentDescription describe(const Image& image, bool color) {
  VkAttachmentDescription attachment{};
  attachment.format = image.shape().format;
  attachment.samples = image.shape().samples;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  attachment.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  attachment.finalLayout = image.shape().samples == VK_SAMPLE_COUNT_1_BIT ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
                           : color                                        ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
                                   : VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  return attachment;
}

VkAttachmentDescription describe_input(const Texture& texture) {
  VkAttachmentDescription attachment = describe(texture.image(), true);
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  attachment.initialLayout = attachment.finalLayout = texture.layout();
  return attachment;
}

}  // namespace

bool Plane::covered(std::uint32_t pixel) const {
  const std::uint32_t* value = words.data() + static_cast<std::size_t>(pixel) * components;
  const std::uint32_t clear = components == 1                          ? std::bit_cast<std::uint32_t>(kClearDepth)
                              : kind == varyings::ScalarKind::floating ? std::bit_cast<std::uint32_t>(kClearFloat)
                                                                       : kClearInt;
  return std::any_of(value, value + components, [&](std::uint32_t word) { return word != clear; });
}

Result<std::unique_ptr<Targets>> Targets::create(Gpu& gpu, const Needs& needs, const Bindings& bindings,
                                                 VkExtent2D extent) {
  std::unique_ptr<Targets> result(new Targets(gpu, needs, extent));
  if (Result<void> done = result->create_attachments(); !done) return done.error();
  if (Result<void> done = result->create_render_pass(bindings); !done) return done.error();
  if (Result<void> done = result->create_framebuffer(bindings); !done) return done.error();
  return result;
}

Result<void> Targets::add_attachment(const Target& target, bool color, VkSampleCountFlagBits samples, bool read_back) {
  ImageShape shape;
  shape.format = color ? color_format(target.kind) : VK_FORMAT_D32_SFLOAT;
  shape.width = extent_.width;
  shape.height = extent_.height;
  shape.layers = image_layers();
  shape.samples = samples;
  VkImageUsageFlags usage = color ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  if (samples == VK_SAMPLE_COUNT_1_BIT) usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  Result<Image> image =
      Image::create(gpu_, shape, usage, shape.layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D);
  if (!image) return image.error();
  Attachment attachment;
  attachment.image = std::move(*image);
  attachment.name = color ? "location " + std::to_string(target.location) : "depth";
  attachment.kind = target.kind;
  attachment.color = color;
  if (read_back) {
    const VkDeviceSize size =
        static_cast<VkDeviceSize>(extent_.width) * extent_.height * shape.layers * (color ? 16 : 4);
    Result<Buffer> buffer = Buffer::create(gpu_, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    if (!buffer) return buffer.error();
    attachment.readback = std::move(*buffer);
  }
  attachments_.push_back(std::move(attachment));
  return {};
}

Result<void> Targets::create_attachments() {
  const bool single = needs_.samples == VK_SAMPLE_COUNT_1_BIT;
  for (const Target& target : needs_.targets)
    if (Result<void> done = add_attachment(target, true, needs_.samples, single && target.present); !done) return done;
  for (const Target& target : needs_.targets) {
    if (single) break;
    if (Result<void> done = add_attachment(target, true, VK_SAMPLE_COUNT_1_BIT, target.present); !done) return done;
  }
  return add_attachment({}, false, needs_.samples, single);
}

Result<void> Targets::create_render_pass(const Bindings& bindings) {
  std::vector<VkAttachmentDescription> descriptions;
  for (const Attachment& attachment : attachments_)
    descriptions.push_back(describe(attachment.image, attachment.color));

  SubpassReferences references;
  const auto count = static_cast<std::uint32_t>(needs_.targets.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    references.colors.push_back({i, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL});
    if (needs_.samples != VK_SAMPLE_COUNT_1_BIT)
      references.resolves.push_back({count + i, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL});
  }
  references.depth = {static_cast<std::uint32_t>(attachments_.size()) - 1,
                      VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  for (const auto& [index, texture] : bindings.input_attachments()) {
    references.inputs.resize(std::max<std::size_t>(references.inputs.size(), index + 1),
                             {VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED});
    references.inputs[index] = {static_cast<std::uint32_t>(descriptions.size()), texture->layout()};
    descriptions.push_back(describe_input(*texture));
  }

  const VkSubpassDescription subpass = references.description();
  const std::uint32_t view_mask = (1u << needs_.views) - 1;
  VkRenderPassMultiviewCreateInfo multiview{VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
  multiview.subpassCount = 1;
  multiview.pViewMasks = &view_mask;
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  if (needs_.views > 0) info.pNext = &multiview;
  info.attachmentCount = static_cast<std::uint32_t>(descriptions.size());
  info.pAttachments = descriptions.data();
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  if (const VkResult result = vkCreateRenderPass(gpu_.device, &info, nullptr, &render_pass_))
    return vulkan_error("render pass", result);
  cleanup_.add([device = gpu_.device, pass = render_pass_] { vkDestroyRenderPass(device, pass, nullptr); });
  return {};
}

Result<void> Targets::create_framebuffer(const Bindings& bindings) {
  std::vector<VkImageView> views;
  for (const Attachment& attachment : attachments_) views.push_back(attachment.image.view());
  for (const auto& [index, texture] : bindings.input_attachments()) views.push_back(texture->image().view());
  VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  info.renderPass = render_pass_;
  info.attachmentCount = static_cast<std::uint32_t>(views.size());
  info.pAttachments = views.data();
  info.width = extent_.width;
  info.height = extent_.height;
  info.layers = needs_.layers;
  if (const VkResult result = vkCreateFramebuffer(gpu_.device, &info, nullptr, &framebuffer_))
    return vulkan_error("framebuffer", result);
  cleanup_.add([device = gpu_.device, buffer = framebuffer_] { vkDestroyFramebuffer(device, buffer, nullptr); });
  return {};
}

void Targets::record_begin(VkCommandBuffer commands) const {
  std::vector<VkClearValue> clears;
  for (const Attachment& attachment : attachments_) clears.push_back(clear_value(attachment.color, attachment.kind));
  VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  info.renderPass = render_pass_;
  info.framebuffer = framebuffer_;
  info.renderArea.extent = extent_;
  info.clearValueCount = static_cast<std::uint32_t>(clears.size());
  info.pClearValues = clears.data();
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

void Targets::record_end(VkCommandBuffer commands) const {
  vkCmdEndRenderPass(commands);
  full_barrier(commands);
  for (const Attachment& attachment : attachments_) {
    if (attachment.readback.size() == 0) continue;
    VkBufferImageCopy region{};
    region.imageSubresource = {attachment.image.aspect(), 0, 0, image_layers()};
    region.imageExtent = {extent_.width, extent_.height, 1};
    vkCmdCopyImageToBuffer(commands, attachment.image.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           attachment.readback.handle(), 1, &region);
  }
}

std::vector<Plane> Targets::planes() const {
  std::vector<Plane> result;
  for (const Attachment& attachment : attachments_) {
    const std::span<std::byte> bytes = attachment.readback.bytes();
    if (bytes.empty()) continue;
    Plane plane;
    plane.name = attachment.name;
    plane.kind = attachment.kind;
    plane.width = extent_.width;
    plane.height = extent_.height;
    plane.layers = image_layers();
    plane.components = attachment.color ? 4 : 1;
    plane.words.resize(bytes.size() / 4);
    std::memcpy(plane.words.data(), bytes.data(), bytes.size());
    result.push_back(std::move(plane));
  }
  return result;
}

}  // namespace varylink::verify
