// Draws one side of a comparison and brings back the frame.
#pragma once

#include "verify/pipelines.h"
#include "verify/targets.h"

namespace varylink::verify {

class Renderer {
 public:
  // Makes everything that does not depend on the side. `needs` must outlive the renderer.
  static Result<std::unique_ptr<Renderer>> create(Gpu& gpu, const Needs& needs, std::uint64_t seed, VkExtent2D extent);

  // One draw with the inputs of `strategy`. The state that shaders can write is the same before every draw.
  Result<Frame> draw(Pipelines& pipelines, const Strategy& strategy);

  VkExtent2D extent() const { return targets_->extent(); }
  PipelineTarget pipeline_target() const { return {bindings_->layout(), targets_->render_pass(), extent()}; }

 private:
  Renderer(Gpu& gpu, const Needs& needs, std::uint64_t seed) : gpu_(gpu), needs_(needs), seed_(seed) {}
  Result<void> create_buffers();
  void record_draw(VkPipeline pipeline, bool set_topology, const Strategy& strategy);
  std::vector<Dump> feedback_dumps() const;

  Gpu& gpu_;
  const Needs& needs_;
  std::uint64_t seed_;
  std::unique_ptr<Bindings> bindings_;
  std::unique_ptr<Targets> targets_;
  Buffer vertices_;
  std::vector<Buffer> feedback_;  // one per needs.xfb_buffers
  bool first_draw_ = true;
};

// Contents of transform feedback buffers before a draw.
constexpr std::byte kFeedbackFill{0xcd};

}  // namespace varylink::verify
