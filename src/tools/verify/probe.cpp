#include "verify/probe.h"

#include <cmath>
#include <cstring>

#include "spirv/ir/globals.h"
#include "spirv/tools/binary.h"

namespace varylink::verify {
namespace {

using spv::Op;

constexpr std::uint32_t kPositionBytes = 16;

// Where the clip position is declared: a variable, or a member of the block behind one.
struct PositionPlace {
  spirv::Id variable = 0;
  spirv::Id block = 0;  // 0 if the variable is the position itself
  std::uint32_t member = 0;
};

bool is_position(const varyings::Decorations& decorations) {
  return decorations.value(spv::Decoration::BuiltIn) == static_cast<std::uint32_t>(spv::BuiltIn::Position);
}

std::optional<PositionPlace> find_position(const Shader& shader) {
  const spirv::Module& module = shader.module;
  for (const spirv::Id variable : shader.entry.interface) {
    const spirv::InstRef def = module.def(variable);
    if (!def || module[def].op != Op::OpVariable) continue;
    if (static_cast<spv::StorageClass>(module.operand(def, 0).word) != spv::StorageClass::Output) continue;
    if (is_position(varyings::decorations_of(module, variable))) return PositionPlace{variable, 0, 0};
    const spirv::Id type = spirv::pointee_type(module, module.type_of(variable));
    if (module.def_op(type) != Op::OpTypeStruct) continue;
    for (std::uint32_t i = 0; i < module.operands(module.def(type)).size(); ++i)
      if (is_position(varyings::member_decorations_of(module, type, i))) return PositionPlace{variable, type, i};
  }
  return std::nullopt;
}

void add_member_offset(spirv::Module& module, const PositionPlace& place) {
  const auto decoration = static_cast<std::uint32_t>(spv::Decoration::Offset);
  module.annotations.push_back(
      module.create(Op::OpMemberDecorate, 0, 0,
                    {spirv::id(place.block), spirv::lit(place.member), spirv::lit(decoration), spirv::lit(0)}));
}

bool all_affine(const std::vector<std::byte>& captured) {
  for (std::size_t at = 0; at + kPositionBytes <= captured.size(); at += kPositionBytes) {
    float position[4];
    std::memcpy(position, captured.data() + at, kPositionBytes);
    std::uint32_t fill = 0;
    std::memset(&fill, static_cast<int>(kFeedbackFill), sizeof fill);
    if (std::memcmp(&position[3], &fill, sizeof fill) == 0) return at > 0;  // behind the last vertex
    const bool inside =
        std::fabs(position[0]) <= 1.0f && std::fabs(position[1]) <= 1.0f && position[2] >= 0.0f && position[2] <= 1.0f;
    if (position[3] != 1.0f || !inside) return false;
  }
  return true;
}

}  // namespace

std::vector<std::uint32_t> with_captured_position(const Shader& shader) {
  const std::optional<PositionPlace> place = find_position(shader);
  if (!place || shader.entry.captures) return {};
  spirv::Module module = shader.module;
  if (!module.has_capability(spv::Capability::TransformFeedback))
    module.capabilities.push_back(module.create(
        Op::OpCapability, 0, 0, {spirv::lit(static_cast<std::uint32_t>(spv::Capability::TransformFeedback))}));
  module.execution_modes.push_back(module.create(
      Op::OpExecutionMode, 0, 0,
      {spirv::id(shader.entry.function), spirv::lit(static_cast<std::uint32_t>(spv::ExecutionMode::Xfb))}));
  spirv::decorate(module, place->variable, spv::Decoration::XfbBuffer, 0);
  spirv::decorate(module, place->variable, spv::Decoration::XfbStride, kPositionBytes);
  if (place->block != 0)
    add_member_offset(module, *place);
  else
    spirv::decorate(module, place->variable, spv::Decoration::Offset, 0);
  return spirv::write_module(module);
}

std::optional<bool> probe_affine(Gpu& gpu, const Needs& needs, const std::vector<Shader>& original,
                                 const Strategy& strategy, std::uint64_t seed, VkExtent2D extent) {
  if (!gpu.abilities.transform_feedback || !needs.xfb_buffers.empty() || needs.has(Stage::mesh)) return std::nullopt;
  std::vector<Shader> probes = original;
  Shader* last = nullptr;
  for (Shader& shader : probes)
    if (shader.stage != Stage::fragment) last = &shader;
  if (last == nullptr) return std::nullopt;
  last->words = with_captured_position(*last);
  if (last->words.empty()) return std::nullopt;

  Needs probe_needs = needs;
  probe_needs.xfb_buffers = {{0, kPositionBytes}};
  Result<std::unique_ptr<Renderer>> renderer = Renderer::create(gpu, probe_needs, seed, extent);
  if (!renderer) return std::nullopt;
  Pipelines pipelines(gpu, probe_needs, probes, (*renderer)->pipeline_target());
  const Result<Frame> frame = (*renderer)->draw(pipelines, strategy);
  if (!frame || frame->feedback.empty()) return std::nullopt;
  return all_affine(frame->feedback.front().after);
}

}  // namespace varylink::verify
