// Attachments and framebuffer of a comparison.
#pragma once

#include "verify/frame.h"
#include "verify/render_pass.h"

namespace varylink::verify {

class Targets {
 public:
  static Result<std::unique_ptr<Targets>> create(Gpu& gpu, const Needs& needs, const Bindings& bindings,
                                                 VkExtent2D extent);

  VkRenderPass render_pass() const { return render_pass_->handle(); }
  VkExtent2D extent() const { return extent_; }

  void record_begin(VkCommandBuffer commands) const;
  void record_end(VkCommandBuffer commands) const;  // ends the pass and copies the pictures to host memory
  std::vector<Plane> planes() const;                // after the submission

 private:
  struct Attachment {
    Image image;
    Image wide;       // with 32 bits in each component, that the picture is converted to; none if `image` has them
    Buffer readback;  // empty if the picture is read from another attachment, or not at all
    std::string name;
    Target target;
    bool color = true;
    std::array<std::uint32_t, 4> clear = {};  // see Plane

    const Image& read_back_image() const { return wide.handle() == VK_NULL_HANDLE ? image : wide; }
  };

  Targets(Gpu& gpu, const Needs& needs, VkExtent2D extent) : gpu_(gpu), needs_(needs), extent_(extent) {}
  Result<void> create_attachments();
  Result<Image> create_image(VkFormat format, VkSampleCountFlagBits samples, VkImageUsageFlags usage);
  Result<void> add_attachment(const Target& target, bool color, VkSampleCountFlagBits samples, bool read_back);
  Result<void> add_readback(Attachment& attachment);
  Result<void> create_framebuffer(const Bindings& bindings);
  Result<void> find_clear_words();
  // Converts the picture to `wide`, from where it is copied.
  void record_widening(VkCommandBuffer commands, const Attachment& attachment) const;
  std::uint32_t image_layers() const { return needs_.views > 0 ? needs_.views : needs_.layers; }

  Gpu& gpu_;
  const Needs& needs_;
  VkExtent2D extent_;
  Cleanup cleanup_;
  std::vector<Attachment> attachments_;  // colors, resolves of the colors if multisampled, depth if there is one
  std::unique_ptr<RenderPass> render_pass_;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
};

}  // namespace varylink::verify
