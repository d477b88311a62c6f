#include "verify/targets.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace varylink::verify {
namespace {

// What targets are cleared to: numbers that no sensible shader writes.
constexpr float kClearFloat = -1234.5f;
constexpr std::uint32_t kClearInt = 0x5eed5eedu;
constexpr float kClearDepth = 0.015625f;  // 1/64, exact
constexpr std::array kClearNormalized = {0.3137f, 0.7059f, 0.5882f, 0.2353f};
constexpr std::uint32_t kClearFewBits = 1;  // fits the smallest integers

float clear_float(const Target& target, std::size_t component) {
  using Kind = state::VulkanFormat::Kind;
  const std::optional<state::VulkanFormat> format = state::find_format(target.format);
  if (!format || format->kind == Kind::sfloat) return kClearFloat;
  return format->kind == Kind::ufloat ? -kClearFloat : kClearNormalized[component];
}

VkClearValue clear_value(const Target& target, bool color) {
  VkClearValue value{};
  if (!color) {
    value.depthStencil = {kClearDepth, 0};
    return value;
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (target.kind == varyings::ScalarKind::floating)
      value.color.float32[i] = clear_float(target, i);
    else
      value.color.uint32[i] = target.format.empty() ? kClearInt : kClearFewBits;
  }
  return value;
}

}  // namespace

bool Plane::covered(std::uint32_t pixel) const {
  const std::uint32_t* value = words.data() + static_cast<std::size_t>(pixel) * components;
  return !std::equal(value, value + components, clear.begin());
}

Result<std::unique_ptr<Targets>> Targets::create(Gpu& gpu, const Needs& needs, const Bindings& bindings,
                                                 VkExtent2D extent) {
  std::unique_ptr<Targets> result(new Targets(gpu, needs, extent));
  if (Result<void> done = result->create_attachments(); !done) return done.error();
  std::vector<InputAttachment> inputs;
  for (const auto& [index, texture] : bindings.input_attachments())
    inputs.push_back({index, texture->image().shape().format, texture->image().shape().samples, texture->layout()});
  Result<std::unique_ptr<RenderPass>> pass = RenderPass::create(gpu, needs, inputs);
  if (!pass) return pass.error();
  result->render_pass_ = std::move(*pass);
  if (Result<void> done = result->create_framebuffer(bindings); !done) return done.error();
  if (Result<void> done = result->find_clear_words(); !done) return done.error();
  return result;
}

Result<Image> Targets::create_image(VkFormat format, VkSampleCountFlagBits samples, VkImageUsageFlags usage) {
  ImageShape shape;
  shape.format = format;
  shape.width = extent_.width;
  shape.height = extent_.height;
  shape.layers = image_layers();
  shape.samples = samples;
  return Image::create(gpu_, shape, usage, shape.layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D);
}

Result<void> Targets::add_attachment(const Target& target, bool color, VkSampleCountFlagBits samples, bool read_back) {
  VkImageUsageFlags usage = color ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  if (samples == VK_SAMPLE_COUNT_1_BIT) usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  Result<Image> image = create_image(color ? color_format(target) : needs_.depth_format, samples, usage);
  if (!image) return image.error();
  Attachment attachment;
  attachment.image = std::move(*image);
  attachment.name = color ? "location " + std::to_string(target.location) : "depth";
  attachment.target = target;
  attachment.color = color;
  if (read_back)
    if (Result<void> done = add_readback(attachment); !done) return done;
  attachments_.push_back(std::move(attachment));
  return {};
}

Result<void> Targets::add_readback(Attachment& attachment) {
  if (attachment.color && !attachment.target.format.empty()) {
    Result<Image> wide = create_image(
        full_format(attachment.target.kind), VK_SAMPLE_COUNT_1_BIT,
        VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    if (!wide) return wide.error();
    attachment.wide = std::move(*wide);
  }
  const VkDeviceSize pixels = static_cast<VkDeviceSize>(extent_.width) * extent_.height * image_layers();
  Result<Buffer> buffer = Buffer::create(gpu_, pixels * (attachment.color ? 16 : 4), VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  if (!buffer) return buffer.error();
  attachment.readback = std::move(*buffer);
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
  if (needs_.depth_format == VK_FORMAT_UNDEFINED) return {};
  return add_attachment({}, false, needs_.samples, single && needs_.depth_format == VK_FORMAT_D32_SFLOAT);
}

// What a pixel holds that no draw wrote: what the format makes of the value that targets are cleared to.
Result<void> Targets::find_clear_words() {
  if (Result<void> begun = gpu_.begin(); !begun) return begun;
  record_begin(gpu_.commands);
  record_end(gpu_.commands);
  full_barrier(gpu_.commands);
  if (Result<void> done = gpu_.submit_and_wait(); !done) return done;
  for (Attachment& attachment : attachments_) {
    const std::span<std::byte> bytes = attachment.readback.bytes();
    if (!bytes.empty()) std::memcpy(attachment.clear.data(), bytes.data(), attachment.color ? 16 : 4);
  }
  return {};
}

Result<void> Targets::create_framebuffer(const Bindings& bindings) {
  std::vector<VkImageView> views;
  for (const Attachment& attachment : attachments_) views.push_back(attachment.image.view());
  for (const auto& [index, texture] : bindings.input_attachments()) views.push_back(texture->image().view());
  VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
  info.renderPass = render_pass();
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
  for (const Attachment& attachment : attachments_) clears.push_back(clear_value(attachment.target, attachment.color));
  VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  info.renderPass = render_pass();
  info.framebuffer = framebuffer_;
  info.renderArea.extent = extent_;
  info.clearValueCount = static_cast<std::uint32_t>(clears.size());
  info.pClearValues = clears.data();
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

void Targets::record_widening(VkCommandBuffer commands, const Attachment& attachment) const {
  attachment.wide.transition(commands, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  VkImageBlit region{};
  region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, image_layers()};
  region.srcOffsets[1] = {static_cast<std::int32_t>(extent_.width), static_cast<std::int32_t>(extent_.height), 1};
  region.dstOffsets[1] = region.srcOffsets[1];
  vkCmdBlitImage(commands, attachment.image.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, attachment.wide.handle(),
                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region, VK_FILTER_NEAREST);
  attachment.wide.transition(commands, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

void Targets::record_end(VkCommandBuffer commands) const {
  vkCmdEndRenderPass(commands);
  full_barrier(commands);
  for (const Attachment& attachment : attachments_) {
    if (attachment.readback.size() == 0) continue;
    if (attachment.wide.handle() != VK_NULL_HANDLE) record_widening(commands, attachment);
    const Image& image = attachment.read_back_image();
    VkBufferImageCopy region{};
    region.imageSubresource = {image.aspect(), 0, 0, image_layers()};
    region.imageExtent = {extent_.width, extent_.height, 1};
    vkCmdCopyImageToBuffer(commands, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, attachment.readback.handle(),
                           1, &region);
  }
}

std::vector<Plane> Targets::planes() const {
  std::vector<Plane> result;
  for (const Attachment& attachment : attachments_) {
    const std::span<std::byte> bytes = attachment.readback.bytes();
    if (bytes.empty()) continue;
    Plane plane;
    plane.name = attachment.name;
    plane.kind = attachment.target.kind;
    plane.clear = attachment.clear;
    if (const auto format = state::find_format(attachment.target.format)) plane.steps = steps_of(*format);
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
