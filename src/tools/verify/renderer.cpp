#include "verify/renderer.h"

#include <algorithm>
#include <cstring>

#include "verify/values.h"

namespace varylink::verify {
namespace {

constexpr VkDeviceSize kMostVertices = 4096;      // of one draw
constexpr VkDeviceSize kFeedbackVertices = 2048;  // what does not fit is dropped, alike on both sides
constexpr std::uint32_t kMeshGroups = 4;

}  // namespace

Result<std::unique_ptr<Renderer>> Renderer::create(Gpu& gpu, const Needs& needs, std::uint64_t seed,
                                                   VkExtent2D extent) {
  std::unique_ptr<Renderer> result(new Renderer(gpu, needs, seed));
  Result<std::unique_ptr<Bindings>> bindings = Bindings::create(gpu, needs, seed, extent);
  if (!bindings) return bindings.error();
  result->bindings_ = std::move(*bindings);
  Result<std::unique_ptr<Targets>> targets = Targets::create(gpu, needs, *result->bindings_, extent);
  if (!targets) return targets.error();
  result->targets_ = std::move(*targets);
  if (Result<void> done = result->create_buffers(); !done) return done.error();
  return result;
}

Result<void> Renderer::create_buffers() {
  const VkDeviceSize size = std::max<VkDeviceSize>(16, needs_.vertex_stride * kMostVertices);
  Result<Buffer> vertices = Buffer::create(gpu_, size, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  if (!vertices) return vertices.error();
  vertices_ = std::move(*vertices);
  for (const XfbBuffer& needed : needs_.xfb_buffers) {
    Result<Buffer> buffer = Buffer::create(gpu_, std::max(4u, needed.stride) * kFeedbackVertices,
                                           VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
    if (!buffer) return buffer.error();
    feedback_.push_back(std::move(*buffer));
  }
  return {};
}

void Renderer::record_draw(VkPipeline pipeline, bool set_topology, const Strategy& strategy) {
  const VkCommandBuffer commands = gpu_.commands;
  targets_->record_begin(commands);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  if (set_topology) vkCmdSetPrimitiveTopology(commands, strategy.topology);
  bindings_->record_bind(commands, strategy);
  const VkDeviceSize zero = 0;
  const VkBuffer vertices[kVertexBindings] = {vertices_.handle(), vertices_.handle()};
  const VkDeviceSize starts[kVertexBindings] = {0, 0};
  if (!needs_.attributes.empty()) vkCmdBindVertexBuffers(commands, 0, kVertexBindings, vertices, starts);
  for (std::size_t i = 0; i < feedback_.size(); ++i) {
    const VkBuffer buffer = feedback_[i].handle();
    const VkDeviceSize size = feedback_[i].size();
    gpu_.bind_xfb_buffers(commands, needs_.xfb_buffers[i].index, 1, &buffer, &zero, &size);
  }
  if (!feedback_.empty()) gpu_.begin_xfb(commands, 0, 0, nullptr, nullptr);
  if (needs_.has(Stage::mesh))
    gpu_.draw_mesh_tasks(commands, kMeshGroups, 1, 1);
  else
    vkCmdDraw(commands, vertex_count(needs_, strategy), strategy.instances, 0, 0);
  if (!feedback_.empty()) gpu_.end_xfb(commands, 0, 0, nullptr, nullptr);
  targets_->record_end(commands);
}

Result<Frame> Renderer::draw(Pipelines& pipelines, const Strategy& strategy) {
  Result<VkPipeline> pipeline = pipelines.get(strategy);
  if (!pipeline) return pipeline.error();

  const std::vector<std::byte> vertices = vertex_bytes(needs_, strategy, seed_);
  if (vertices.size() > vertices_.size()) return make_error(ErrorKind::usage, {}, "too many vertices");
  std::copy(vertices.begin(), vertices.end(), vertices_.bytes().begin());
  bindings_->reset_buffers(strategy);
  for (const Buffer& buffer : feedback_) std::fill(buffer.bytes().begin(), buffer.bytes().end(), kFeedbackFill);

  if (Result<void> begun = gpu_.begin(); !begun) return begun.error();
  bindings_->record_uploads(gpu_.commands, first_draw_);
  first_draw_ = false;
  record_draw(*pipeline, pipelines.topology_is_dynamic() && !needs_.has(Stage::mesh), strategy);
  bindings_->record_readbacks(gpu_.commands);
  full_barrier(gpu_.commands);
  if (Result<void> done = gpu_.submit_and_wait(); !done) return done.error();

  Frame frame;
  frame.planes = targets_->planes();
  frame.has_color = !frame.planes.empty() && frame.planes.front().components == 4;
  frame.buffers = bindings_->dumps();
  frame.feedback = feedback_dumps();
  return frame;
}

std::vector<Dump> Renderer::feedback_dumps() const {
  std::vector<Dump> result;
  for (std::size_t i = 0; i < feedback_.size(); ++i) {
    const XfbBuffer& captured = needs_.xfb_buffers[i];
    Dump dump;
    dump.name = "transform feedback buffer " + std::to_string(captured.index);
    for (std::uint32_t vertex = 0; vertex < kFeedbackVertices; ++vertex)
      for (const std::uint32_t offset : captured.floats)
        dump.fields.push_back({vertex * captured.stride + offset, {varyings::ScalarKind::floating, 32}});
    const std::span<std::byte> bytes = feedback_[i].bytes();
    dump.after.assign(bytes.begin(), bytes.end());
    dump.before.assign(bytes.size(), kFeedbackFill);
    result.push_back(std::move(dump));
  }
  return result;
}

}  // namespace varylink::verify
