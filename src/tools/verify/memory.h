// Buffers and images with their memory, destroyed with the object. Buffers are host-visible and stay mapped.
#pragma once

#include <cstddef>
#include <span>

#include "verify/gpu.h"

namespace varylink::verify {

class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer();

  static Result<Buffer> create(Gpu& gpu, VkDeviceSize size, VkBufferUsageFlags usage);

  VkBuffer handle() const { return buffer_; }
  VkDeviceSize size() const { return size_; }
  // The mapped bytes. The memory is coherent: a submission sees bytes written before it, and the host sees bytes that
  // the device wrote after the fence.
  std::span<std::byte> bytes() const { return {mapped_, static_cast<std::size_t>(size_)}; }

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  VkDeviceSize size_ = 0;
  std::byte* mapped_ = nullptr;
};

struct ImageShape {
  VkImageType type = VK_IMAGE_TYPE_2D;
  VkFormat format = VK_FORMAT_R32G32B32A32_SFLOAT;
  std::uint32_t width = 1, height = 1, depth = 1;
  std::uint32_t mips = 1, layers = 1;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  bool cube = false;
};

// An image with one view of everything in it.
class Image {
 public:
  Image() = default;
  Image(Image&& other) noexcept;
  Image& operator=(Image&& other) noexcept;
  ~Image();

  static Result<Image> create(Gpu& gpu, const ImageShape& shape, VkImageUsageFlags usage, VkImageViewType view);

  VkImage handle() const { return image_; }
  VkImageView view() const { return view_; }
  const ImageShape& shape() const { return shape_; }
  VkImageAspectFlags aspect() const;

  // Records a transition of all subresources. Everything before waits, everything behind sees it: simple and slow,
  // which is fine for the few images of a comparison.
  void transition(VkCommandBuffer commands, VkImageLayout from, VkImageLayout to) const;

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  VkImage image_ = VK_NULL_HANDLE;
  VkImageView view_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  ImageShape shape_;
};

// Makes all earlier writes of the command buffer visible to everything later, the host included.
void full_barrier(VkCommandBuffer commands);

}  // namespace varylink::verify
