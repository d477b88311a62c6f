#include "verify/memory.h"

#include <utility>

namespace varylink::verify {
namespace {

// Memory type with all of `wanted` that `bits` allows, none if there is none.
std::optional<std::uint32_t> memory_type(const Gpu& gpu, std::uint32_t bits, VkMemoryPropertyFlags wanted) {
  for (std::uint32_t i = 0; i < gpu.memory.memoryTypeCount; ++i)
    if ((bits >> i & 1u) != 0 && (gpu.memory.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
  return std::nullopt;
}

VkResult allocate(Gpu& gpu, const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted, VkDeviceMemory& memory) {
  std::optional<std::uint32_t> type = memory_type(gpu, needs.memoryTypeBits, wanted);
  if (!type && wanted == VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) type = memory_type(gpu, needs.memoryTypeBits, 0);
  if (!type) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = needs.size;
  info.memoryTypeIndex = *type;
  return vkAllocateMemory(gpu.device, &info, nullptr, &memory);
}

}  // namespace

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(buffer_, other.buffer_);
  std::swap(memory_, other.memory_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

Buffer::~Buffer() {
  if (device_ == VK_NULL_HANDLE) return;
  vkDestroyBuffer(device_, buffer_, nullptr);
  vkFreeMemory(device_, memory_, nullptr);
}

Result<Buffer> Buffer::create(Gpu& gpu, VkDeviceSize size, VkBufferUsageFlags usage) {
  Buffer result;
  result.device_ = gpu.device;
  result.size_ = size;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = size;
  info.usage = usage;
  if (const VkResult error = vkCreateBuffer(gpu.device, &info, nullptr, &result.buffer_))
    return vulkan_error("buffer", error);
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(gpu.device, result.buffer_, &needs);
  constexpr VkMemoryPropertyFlags kHost = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  if (const VkResult error = allocate(gpu, needs, kHost, result.memory_)) return vulkan_error("buffer memory", error);
  if (const VkResult error = vkBindBufferMemory(gpu.device, result.buffer_, result.memory_, 0))
    return vulkan_error("buffer memory", error);
  void* mapped = nullptr;
  if (const VkResult error = vkMapMemory(gpu.device, result.memory_, 0, VK_WHOLE_SIZE, 0, &mapped))
    return vulkan_error("buffer memory", error);
  result.mapped_ = static_cast<std::byte*>(mapped);
  return result;
}

Image::Image(Image&& other) noexcept { *this = std::move(other); }

Image& Image::operator=(Image&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(image_, other.image_);
  std::swap(view_, other.view_);
  std::swap(memory_, other.memory_);
  std::swap(shape_, other.shape_);
  return *this;
}

Image::~Image() {
  if (device_ == VK_NULL_HANDLE) return;
  vkDestroyImageView(device_, view_, nullptr);
  vkDestroyImage(device_, image_, nullptr);
  vkFreeMemory(device_, memory_, nullptr);
}

VkImageAspectFlags Image::aspect() const {
  switch (shape_.format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D32_SFLOAT: return VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_FORMAT_D16_UNORM_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT: return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    default: return VK_IMAGE_ASPECT_COLOR_BIT;
  }
}

Result<Image> Image::create(Gpu& gpu, const ImageShape& shape, VkImageUsageFlags usage, VkImageViewType view) {
  Image result;
  result.device_ = gpu.device;
  result.shape_ = shape;
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.flags = shape.cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
  info.imageType = shape.type;
  info.format = shape.format;
  info.extent = {shape.width, shape.height, shape.depth};
  info.mipLevels = shape.mips;
  info.arrayLayers = shape.layers;
  info.samples = shape.samples;
  info.usage = usage;
  VkImageFormatProperties limits;
  if (const VkResult error = vkGetPhysicalDeviceImageFormatProperties(gpu.physical, info.format, info.imageType,
                                                                      info.tiling, usage, info.flags, &limits))
    return vulkan_error("image", error);
  if ((limits.sampleCounts & shape.samples) == 0) return vulkan_error("image", VK_ERROR_FORMAT_NOT_SUPPORTED);
  if (const VkResult error = vkCreateImage(gpu.device, &info, nullptr, &result.image_))
    return vulkan_error("image", error);
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(gpu.device, result.image_, &needs);
  if (const VkResult error = allocate(gpu, needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, result.memory_))
    return vulkan_error("image memory", error);
  if (const VkResult error = vkBindImageMemory(gpu.device, result.image_, result.memory_, 0))
    return vulkan_error("image memory", error);
  VkImageViewCreateInfo view_info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  view_info.image = result.image_;
  view_info.viewType = view;
  view_info.format = shape.format;
  view_info.subresourceRange = {result.aspect(), 0, shape.mips, 0, shape.layers};
  if (const VkResult error = vkCreateImageView(gpu.device, &view_info, nullptr, &result.view_))
    return vulkan_error("image view", error);
  return result;
}

void Image::transition(VkCommandBuffer commands, VkImageLayout from, VkImageLayout to) const {
  VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image_;
  barrier.subresourceRange = {aspect(), 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr,
                       0, nullptr, 1, &barrier);
}

void full_barrier(VkCommandBuffer commands) {
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
}

}  // namespace varylink::verify
