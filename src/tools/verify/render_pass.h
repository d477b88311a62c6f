// The one render pass, with the attachments that both pipelines draw to.
#pragma once

#include <memory>
#include <vector>

#include "verify/cleanup.h"
#include "verify/needs.h"

namespace varylink::verify {

struct InputAttachment {
  std::uint32_t index = 0;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
};

class RenderPass {
 public:
  // Attachments in this order: colors, their resolves if there are several samples, depth if there is one, inputs.
  static Result<std::unique_ptr<RenderPass>> create(const Gpu& gpu, const Needs& needs,
                                                    const std::vector<InputAttachment>& inputs);

  VkRenderPass handle() const { return handle_; }

 private:
  RenderPass() = default;

  Cleanup cleanup_;
  VkRenderPass handle_ = VK_NULL_HANDLE;
};

// Four components of 32 bits.
VkFormat full_format(varyings::ScalarKind kind);
VkFormat color_format(const Target& target);

}  // namespace varylink::verify
