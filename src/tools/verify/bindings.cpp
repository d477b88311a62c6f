#include "verify/bindings.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "verify/random.h"
#include "verify/texels.h"
#include "verify/values.h"

namespace varylink::verify {
namespace {

constexpr std::uint64_t kPushPlace = 0x70757368;
constexpr VkDeviceSize kSmallestBuffer = 256;
constexpr VkDeviceSize kTexelBufferTexels = 64;

bool is_block(ResourceKind kind) {
  return kind == ResourceKind::uniform_buffer || kind == ResourceKind::storage_buffer;
}
bool is_texel_buffer(ResourceKind kind) {
  return kind == ResourceKind::uniform_texel_buffer || kind == ResourceKind::storage_texel_buffer;
}
bool has_image(ResourceKind kind) {
  return kind == ResourceKind::combined_image_sampler || kind == ResourceKind::sampled_image ||
         kind == ResourceKind::storage_image || kind == ResourceKind::input_attachment;
}
bool has_sampler(ResourceKind kind) {
  return kind == ResourceKind::combined_image_sampler || kind == ResourceKind::sampler;
}

std::string label(const Resource& resource, std::uint32_t index) {
  std::string text = "set " + std::to_string(resource.set) + " binding " + std::to_string(resource.binding);
  if (resource.count > 1) text += "[" + std::to_string(index) + "]";
  return text;
}

}  // namespace

Result<std::unique_ptr<Bindings>> Bindings::create(Gpu& gpu, const Needs& needs, std::uint64_t seed,
                                                   VkExtent2D extent) {
  std::unique_ptr<Bindings> result(new Bindings(gpu, needs, seed));
  if (Result<void> done = result->create_elements(extent); !done) return done.error();
  Result<std::unique_ptr<Layouts>> layouts = Layouts::create(gpu, needs);
  if (!layouts) return layouts.error();
  result->layouts_ = std::move(*layouts);
  if (Result<void> done = result->create_sets(); !done) return done.error();
  result->write_sets();
  return result;
}

std::uint64_t Bindings::place_of(const Element& element) const {
  return hash_of(element.resource->set, {element.resource->binding, element.index});
}

Result<void> Bindings::create_elements(VkExtent2D extent) {
  constexpr std::uint32_t kMostElements = 1024;
  for (const Resource& resource : needs_.resources) {
    if (resource.count > kMostElements) return make_error(ErrorKind::usage, {}, "a very large descriptor array");
    for (std::uint32_t index = 0; index < resource.count; ++index)
      if (Result<void> done = create_element(resource, index, extent); !done) return done.error();
  }
  return {};
}

Result<void> Bindings::create_element(const Resource& resource, std::uint32_t index, VkExtent2D extent) {
  Element element;
  element.resource = &resource;
  element.index = index;
  Result<void> done;
  if (is_block(resource.kind)) done = create_buffer(element);
  if (done && is_texel_buffer(resource.kind)) done = create_texel_buffer(element);
  if (done && has_image(resource.kind)) done = create_texture(element, extent);
  if (done && has_sampler(resource.kind)) done = create_sampler(element);
  elements_.push_back(std::move(element));
  return done;
}

Result<void> Bindings::create_buffer(Element& element) {
  const bool storage = element.resource->kind == ResourceKind::storage_buffer;
  const VkDeviceSize size = std::max<VkDeviceSize>(kSmallestBuffer, (element.resource->block.size + 15) / 16 * 16);
  Result<Buffer> buffer =
      Buffer::create(gpu_, size, storage ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT : VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  if (!buffer) return buffer.error();
  element.buffer = std::move(*buffer);
  return {};
}

Result<void> Bindings::create_texel_buffer(Element& element) {
  const bool storage = element.resource->kind == ResourceKind::storage_texel_buffer;
  const auto format =
      storage ? storage_format(element.resource->texture) : sampled_format(element.resource->texture, true);
  if (!format) return make_error(ErrorKind::usage, {}, "a texel buffer format that the oracle does not make");
  const VkBufferUsageFlags usage =
      storage ? VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT : VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
  Result<Buffer> buffer = Buffer::create(gpu_, kTexelBufferTexels * format->bytes, usage);
  if (!buffer) return buffer.error();
  element.buffer = std::move(*buffer);
  element.before.resize(element.buffer.bytes().size());
  fill_texels(*format, hash_of(seed_, {place_of(element)}), element.before);
  VkBufferViewCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  info.buffer = element.buffer.handle();
  info.format = format->format;
  info.range = VK_WHOLE_SIZE;
  if (const VkResult result = vkCreateBufferView(gpu_.device, &info, nullptr, &element.view))
    return vulkan_error("texel buffer", result);
  cleanup_.add([device = gpu_.device, view = element.view] { vkDestroyBufferView(device, view, nullptr); });
  return {};
}

Result<void> Bindings::create_texture(Element& element, VkExtent2D extent) {
  Result<Texture> texture = Texture::create(gpu_, *element.resource, hash_of(seed_, {place_of(element)}), extent);
  if (!texture) return texture.error();
  element.texture = std::move(*texture);
  if (!element.texture->written_by_shaders()) return {};
  Result<Buffer> readback = Buffer::create(gpu_, element.texture->byte_size(), VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  if (!readback) return readback.error();
  element.readback = std::move(*readback);
  return {};
}

Result<void> Bindings::create_sampler(Element& element) {
  const TextureShape& texture = element.resource->texture;
  // A sampler without an image may meet integer textures, which cannot be filtered; nearest fits everything.
  const bool smooth = element.resource->kind == ResourceKind::combined_image_sampler &&
                      texture.sampled.kind == varyings::ScalarKind::floating && !texture.compare;
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = smooth ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  info.mipmapMode = smooth ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  info.compareEnable = texture.compare ? VK_TRUE : VK_FALSE;
  info.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  info.maxLod = VK_LOD_CLAMP_NONE;
  if (const VkResult result = vkCreateSampler(gpu_.device, &info, nullptr, &element.sampler))
    return vulkan_error("sampler", result);
  cleanup_.add([device = gpu_.device, sampler = element.sampler] { vkDestroySampler(device, sampler, nullptr); });
  return {};
}

Result<void> Bindings::create_sets() {
  const std::vector<VkDescriptorSetLayout>& layouts = layouts_->sets();
  if (layouts.empty()) return {};
  std::map<VkDescriptorType, std::uint32_t> counts;
  for (const Resource& resource : needs_.resources) counts[descriptor_type(resource.kind)] += resource.count;
  std::vector<VkDescriptorPoolSize> sizes;
  for (const auto& [type, count] : counts) sizes.push_back({type, count});
  VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.maxSets = static_cast<std::uint32_t>(layouts.size());
  info.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  if (const VkResult result = vkCreateDescriptorPool(gpu_.device, &info, nullptr, &pool))
    return vulkan_error("descriptor pool", result);
  cleanup_.add([device = gpu_.device, pool] { vkDestroyDescriptorPool(device, pool, nullptr); });
  VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = info.maxSets;
  allocate.pSetLayouts = layouts.data();
  sets_.resize(layouts.size());
  if (const VkResult result = vkAllocateDescriptorSets(gpu_.device, &allocate, sets_.data()))
    return vulkan_error("descriptor sets", result);
  return {};
}

void Bindings::write_sets() {
  for (const Element& element : elements_) {
    const VkDescriptorBufferInfo buffer{element.buffer.handle(), 0, VK_WHOLE_SIZE};
    VkDescriptorImageInfo image{element.sampler, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED};
    if (element.texture) {
      image.imageView = element.texture->image().view();
      image.imageLayout = element.texture->layout();
    }
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = sets_[element.resource->set];
    write.dstBinding = element.resource->binding;
    write.dstArrayElement = element.index;
    write.descriptorCount = 1;
    write.descriptorType = descriptor_type(element.resource->kind);
    if (is_block(element.resource->kind))
      write.pBufferInfo = &buffer;
    else if (is_texel_buffer(element.resource->kind))
      write.pTexelBufferView = &element.view;
    else
      write.pImageInfo = &image;
    vkUpdateDescriptorSets(gpu_.device, 1, &write, 0, nullptr);
  }
}

std::vector<std::pair<std::uint32_t, const Texture*>> Bindings::input_attachments() const {
  std::vector<std::pair<std::uint32_t, const Texture*>> result;
  for (const Element& element : elements_)
    if (element.resource->kind == ResourceKind::input_attachment)
      result.emplace_back(element.resource->attachment_index + element.index, &*element.texture);
  return result;
}

void Bindings::reset_buffers(const Strategy& strategy) {
  for (Element& element : elements_) {
    const std::span<std::byte> bytes = element.buffer.bytes();
    if (is_block(element.resource->kind)) {
      fill_block(element.resource->block, strategy, seed_, place_of(element), bytes);
      if (element.resource->kind == ResourceKind::storage_buffer) element.before.assign(bytes.begin(), bytes.end());
    } else if (is_texel_buffer(element.resource->kind)) {
      std::copy(element.before.begin(), element.before.end(), bytes.begin());
    }
  }
}

void Bindings::record_uploads(VkCommandBuffer commands, bool first) const {
  for (const Element& element : elements_)
    if (element.texture && (first || element.texture->written_by_shaders())) element.texture->record_upload(commands);
}

void Bindings::record_bind(VkCommandBuffer commands, const Strategy& strategy) const {
  if (!sets_.empty())
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout(), 0,
                            static_cast<std::uint32_t>(sets_.size()), sets_.data(), 0, nullptr);
  if (needs_.push_constants.size == 0) return;
  std::vector<std::byte> bytes(push_constant_size(needs_));
  fill_block(needs_.push_constants, strategy, seed_, kPushPlace, bytes);
  vkCmdPushConstants(commands, layout(), all_stages(gpu_), 0, static_cast<std::uint32_t>(bytes.size()), bytes.data());
}

void Bindings::record_readbacks(VkCommandBuffer commands) const {
  for (const Element& element : elements_)
    if (element.texture && element.texture->written_by_shaders())
      element.texture->record_readback(commands, element.readback);
}

namespace {

bool has_float_texels(const Resource& resource) {
  const std::optional<TexelFormat> format = storage_format(resource.texture);
  return format && format->kind == TexelClass::float32;
}

}  // namespace

std::vector<Dump> Bindings::dumps() const {
  std::vector<Dump> result;
  for (const Element& element : elements_) {
    const ResourceKind kind = element.resource->kind;
    const bool image = element.texture && element.texture->written_by_shaders();
    if (!image && kind != ResourceKind::storage_buffer && kind != ResourceKind::storage_texel_buffer) continue;
    Dump dump;
    dump.name = label(*element.resource, element.index);
    const auto after = (image ? element.readback : element.buffer).bytes();
    dump.after.assign(after.begin(), after.end());
    if (image)
      dump.before.assign(element.texture->contents().begin(), element.texture->contents().end());
    else
      dump.before = element.before;
    if (kind == ResourceKind::storage_buffer) dump.fields = element.resource->block.fields;
    dump.holds_floats = kind != ResourceKind::storage_buffer && has_float_texels(*element.resource);
    result.push_back(std::move(dump));
  }
  return result;
}

}  // namespace varylink::verify
