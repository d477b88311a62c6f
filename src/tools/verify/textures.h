// Images with random contents, which shaders sample, fetch, load and store.
#pragma once

#include "verify/memory.h"
#include "verify/texels.h"

namespace varylink::verify {

class Texture {
 public:
  // An image that fits the declaration, with contents that depend on `seed` alone. Nothing is uploaded yet.
  // `extent` is used for storage images and input attachments, which shaders address by pixel.
  static Result<Texture> create(Gpu& gpu, const Resource& resource, std::uint64_t seed, VkExtent2D extent);

  // Records the upload of the original contents; the image ends in the layout that shaders use it in.
  void record_upload(VkCommandBuffer commands) const;
  // Records the copy of the whole image (one mip level) into `readback`, at most once per upload.
  void record_readback(VkCommandBuffer commands, const Buffer& readback) const;

  const Image& image() const { return image_; }
  VkImageLayout layout() const { return layout_; }
  bool written_by_shaders() const { return layout_ == VK_IMAGE_LAYOUT_GENERAL && image_.shape().samples == 1; }
  VkDeviceSize byte_size() const;
  std::span<const std::byte> contents() const { return contents_; }

 private:
  std::vector<VkBufferImageCopy> regions() const;

  Image image_;
  Buffer staging_;
  std::vector<std::byte> contents_;
  TexelFormat format_;
  VkImageLayout layout_ = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
  std::uint64_t seed_ = 0;
};

}  // namespace varylink::verify
