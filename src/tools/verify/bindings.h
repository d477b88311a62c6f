// Descriptor sets with everything behind them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "verify/cleanup.h"
#include "verify/layouts.h"
#include "verify/strategy.h"
#include "verify/textures.h"

namespace varylink::verify {

// Contents of a buffer or image after a draw.
struct Dump {
  std::string name;  // "set 0 binding 2"
  std::vector<std::byte> before, after;
  std::vector<Field> fields;  // types of the words, empty if unknown
  bool holds_floats = false;  // all words are 32-bit floats
};

class Bindings {
 public:
  static Result<std::unique_ptr<Bindings>> create(Gpu& gpu, const Needs& needs, std::uint64_t seed, VkExtent2D extent);

  VkPipelineLayout layout() const { return layouts_->pipeline(); }
  // Images that the render pass must offer as input attachments, with their index.
  std::vector<std::pair<std::uint32_t, const Texture*>> input_attachments() const;

  // Puts the buffers into the state in which a run with this strategy starts.
  void reset_buffers(const Strategy& strategy);
  // Records the upload of all images; `first` also of those that shaders cannot change.
  void record_uploads(VkCommandBuffer commands, bool first) const;
  // Binds sets and push constants.
  void record_bind(VkCommandBuffer commands, const Strategy& strategy) const;
  // Records copies of written images to where dumps() finds them.
  void record_readbacks(VkCommandBuffer commands) const;
  // Bindings that the shaders may have written, after the submission.
  std::vector<Dump> dumps() const;

 private:
  // One element of a binding.
  struct Element {
    const Resource* resource = nullptr;
    std::uint32_t index = 0;
    Buffer buffer;
    VkBufferView view = VK_NULL_HANDLE;
    std::optional<Texture> texture;
    VkSampler sampler = VK_NULL_HANDLE;
    Buffer readback;
    std::vector<std::byte> before;
  };

  Bindings(Gpu& gpu, const Needs& needs, std::uint64_t seed) : gpu_(gpu), needs_(needs), seed_(seed) {}
  Result<void> create_elements(VkExtent2D extent);
  Result<void> create_element(const Resource& resource, std::uint32_t index, VkExtent2D extent);
  Result<void> create_buffer(Element& element);
  Result<void> create_texel_buffer(Element& element);
  Result<void> create_texture(Element& element, VkExtent2D extent);
  Result<void> create_sampler(Element& element);
  Result<void> create_sets();
  void write_sets();
  std::uint64_t place_of(const Element& element) const;

  Gpu& gpu_;
  const Needs& needs_;
  std::uint64_t seed_;
  Cleanup cleanup_;
  std::vector<Element> elements_;  // in the order of needs.resources
  std::unique_ptr<Layouts> layouts_;
  std::vector<VkDescriptorSet> sets_;
};

}  // namespace varylink::verify
