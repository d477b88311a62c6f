// Render pass, attachments and framebuffer of a comparison.
#pragma once

#include "verify/frame.h"

namespace varylink::verify {

class Targets {
 public:
  static Result<std::unique_ptr<Targets>> create(Gpu& gpu, const Needs& needs, const Bindings& bindings,
                                                 VkExtent2D extent);

  VkRenderPass render_pass() const { return render_pass_; }
  VkExtent2D extent() const { return extent_; }

  void record_begin(VkCommandBuffer commands) const;
  void record_end(VkCommandBuffer commands) const;  // ends the pass and copies the pictures to host memory
  std::vector<Plane> planes() const;                // after the submission

 private:
  struct Attachment {
    Image image;
    Buffer readback;  // empty if the picture is read from another attachment
    std::string name;
    varyings::ScalarKind kind = varyings::ScalarKind::floating;
    bool color = true;
  };

  Targets(Gpu& gpu, const Needs& needs, VkExtent2D extent) : gpu_(gpu), needs_(needs), extent_(extent) {}
  Result<void> create_attachments();
  Result<void> add_attachment(const Target& target, bool color, VkSampleCountFlagBits samples, bool read_back);
  Result<void> create_render_pass(const Bindings& bindings);
  Result<void> create_framebuffer(const Bindings& bindings);
  std::uint32_t image_layers() const { return needs_.views > 0 ? needs_.views : needs_.layers; }

  Gpu& gpu_;
  const Needs& needs_;
  VkExtent2D extent_;
  Cleanup cleanup_;
  std::vector<Attachment> attachments_;  // colors, resolves of the colors if multisampled, depth
  VkRenderPass render_pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
};

}  // namespace varylink::verify
