#include "verify/textures.h"

#include <algorithm>
#include <cstring>

#include "verify/random.h"

namespace varylink::verify {
namespace {

constexpr std::uint32_t kSide = 8;
constexpr std::uint32_t kMips = 4;  // down to 1x1
constexpr std::uint32_t kTextureLayers = 4;
constexpr std::uint32_t kDepth = 4;

Diagnostic unsupported(const Resource& resource, const char* what) {
  return make_error(
      ErrorKind::usage, {},
      "set " + std::to_string(resource.set) + " binding " + std::to_string(resource.binding) + ": " + what);
}

void choose_type(const TextureShape& texture, ImageShape& shape, VkImageViewType& view) {
  const bool arrayed = texture.arrayed;
  shape.layers = arrayed ? kTextureLayers : 1;
  switch (texture.dim) {
    case spv::Dim::Dim1D:
      shape.type = VK_IMAGE_TYPE_1D;
      shape.height = 1;
      view = arrayed ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
      break;
    case spv::Dim::Dim3D:
      shape.type = VK_IMAGE_TYPE_3D;
      shape.depth = kDepth;
      shape.layers = 1;
      view = VK_IMAGE_VIEW_TYPE_3D;
      break;
    case spv::Dim::Cube:
      shape.height = shape.width;
      shape.layers = arrayed ? 12 : 6;
      shape.cube = true;
      view = arrayed ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
      break;
    default: view = arrayed ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D; break;
  }
}

VkImageUsageFlags usage_of(ResourceKind kind) {
  constexpr VkImageUsageFlags kTransfer = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if (kind == ResourceKind::storage_image)
    return kTransfer | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  if (kind == ResourceKind::input_attachment)
    return kTransfer | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  return kTransfer | VK_IMAGE_USAGE_SAMPLED_BIT;
}

// Contents of multisampled images cannot be copied in: they are cleared to a color.
void clear_multisampled(VkCommandBuffer commands, const Image& image, const TexelFormat& format, std::uint64_t seed) {
  const VkImageSubresourceRange range{image.aspect(), 0, 1, 0, image.shape().layers};
  if (image.aspect() == VK_IMAGE_ASPECT_DEPTH_BIT) {
    const VkClearDepthStencilValue depth{uniform(mix(seed), 0.2f, 0.8f), 0};
    return vkCmdClearDepthStencilImage(commands, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &depth, 1,
                                       &range);
  }
  VkClearColorValue color{};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint64_t hash = hash_of(seed, {i});
    if (format.kind == TexelClass::integer)
      color.int32[i] = static_cast<std::int32_t>(uniform_int(hash, 0, 15));
    else
      color.float32[i] = uniform(hash, 0.0f, 1.0f);
  }
  vkCmdClearColorImage(commands, image.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &range);
}

}  // namespace

Result<Texture> Texture::create(Gpu& gpu, const Resource& resource, std::uint64_t seed, VkExtent2D extent) {
  const bool storage = resource.kind == ResourceKind::storage_image;
  const bool by_pixel = storage || resource.kind == ResourceKind::input_attachment;
  const auto format = by_pixel ? storage_format(resource.texture) : sampled_format(resource.texture, false);
  if (!format) return unsupported(resource, "a texel format that the oracle does not make");

  Texture texture;
  texture.format_ = *format;
  texture.seed_ = seed;
  ImageShape shape;
  shape.format = format->format;
  shape.width = by_pixel ? extent.width : kSide;
  shape.height = by_pixel ? extent.height : kSide;
  if (storage && resource.texture.dim == spv::Dim::Dim3D) shape.width = shape.height = 2 * kSide;
  shape.mips = by_pixel || resource.texture.multisampled ? 1 : kMips;
  if (resource.texture.multisampled) shape.samples = VK_SAMPLE_COUNT_4_BIT;
  VkImageViewType view = VK_IMAGE_VIEW_TYPE_2D;
  choose_type(resource.texture, shape, view);
  if (storage) texture.layout_ = VK_IMAGE_LAYOUT_GENERAL;

  Result<Image> image = Image::create(gpu, shape, usage_of(resource.kind), view);
  if (!image) return unsupported(resource, image.error().message.c_str());
  texture.image_ = std::move(*image);
  if (shape.samples != VK_SAMPLE_COUNT_1_BIT) return texture;

  texture.contents_.resize(texture.byte_size());
  fill_texels(*format, seed, texture.contents_);
  Result<Buffer> staging = Buffer::create(gpu, texture.byte_size(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  if (!staging) return staging.error();
  texture.staging_ = std::move(*staging);
  std::memcpy(texture.staging_.bytes().data(), texture.contents_.data(), texture.contents_.size());
  return texture;
}

std::vector<VkBufferImageCopy> Texture::regions() const {
  const ImageShape& shape = image_.shape();
  std::vector<VkBufferImageCopy> result;
  VkDeviceSize offset = 0;
  for (std::uint32_t mip = 0; mip < shape.mips; ++mip) {
    VkBufferImageCopy region{};
    region.bufferOffset = offset;
    region.imageSubresource = {image_.aspect(), mip, 0, shape.layers};
    region.imageExtent = {std::max(1u, shape.width >> mip), std::max(1u, shape.height >> mip),
                          std::max(1u, shape.depth >> mip)};
    const VkExtent3D& extent = region.imageExtent;
    offset += static_cast<VkDeviceSize>(extent.width) * extent.height * extent.depth * shape.layers * format_.bytes;
    offset = (offset + 15) / 16 * 16;  // copies want offsets that are a multiple of the texel size
    result.push_back(region);
  }
  return result;
}

VkDeviceSize Texture::byte_size() const {
  const std::vector<VkBufferImageCopy> all = regions();
  const VkExtent3D& extent = all.back().imageExtent;
  return all.back().bufferOffset +
         static_cast<VkDeviceSize>(extent.width) * extent.height * extent.depth * image_.shape().layers * format_.bytes;
}

void Texture::record_upload(VkCommandBuffer commands) const {
  image_.transition(commands, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  if (image_.shape().samples != VK_SAMPLE_COUNT_1_BIT) {
    clear_multisampled(commands, image_, format_, seed_);
  } else {
    const std::vector<VkBufferImageCopy> all = regions();
    vkCmdCopyBufferToImage(commands, staging_.handle(), image_.handle(), VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                           static_cast<std::uint32_t>(all.size()), all.data());
  }
  image_.transition(commands, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, layout_);
}

void Texture::record_readback(VkCommandBuffer commands, const Buffer& readback) const {
  image_.transition(commands, layout_, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  const std::vector<VkBufferImageCopy> all = regions();
  vkCmdCopyImageToBuffer(commands, image_.handle(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, readback.handle(),
                         static_cast<std::uint32_t>(all.size()), all.data());
}

}  // namespace varylink::verify
