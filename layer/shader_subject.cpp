// Shader objects as subjects. All state of a draw with them is dynamic, and so nothing is known of it.
#include <algorithm>
#include <span>
#include <utility>

#include "formats/create_info.h"
#include "subject.h"

namespace varylink::layer {
namespace {

using Set = std::vector<const ShaderCreateInfo*>;

// The other flags are about memory and subgroups inside a stage, and about samples, of which nothing is known.
constexpr std::uint32_t kKnownFlags = shader_flags::kLinkStage | shader_flags::kVaryingSubgroupSize |
                                      shader_flags::kFullSubgroups | shader_flags::kNoTaskShader |
                                      shader_flags::kDispatchBase | shader_flags::kShadingRateAttachment |
                                      shader_flags::kDensityMapAttachment;

std::string refusal(const ShaderCreateInfo& info) {
  if (info.code_type != kSpirvCode || info.code_size % sizeof(std::uint32_t) != 0) return "it has binary code";
  if ((info.flags & shader_flags::kIndirectBindable) != 0) return "device-generated commands may change its shaders";
  if ((info.flags & ~kKnownFlags) != 0) return "it has flags that change what its stages mean";
  Understanding understanding;
  understanding.add_chain(info.pNext);
  return !understanding.why_not.empty() ? understanding.why_not
                                        : structure_not_copied(info.pNext, size_in_shader_chain);
}

constexpr const char* kOpen = "a shader of another call may be bound with it";

// Stages between those of a set are not bound, but before the first and behind the last there may be any that fit.
std::string open_end(const Subject& subject, const Set& set) {
  std::uint32_t own = 0, next = 0;
  for (const ShaderCreateInfo* each : set) {
    own |= each->stage;
    next |= each->next_stages;
    if (each->stage == VK_SHADER_STAGE_MESH_BIT_EXT && !subject.has(Stage::task) &&
        (each->flags & shader_flags::kNoTaskShader) == 0)
      return kOpen;
  }
  return subject.has(Stage::fragment) || (next & ~own) == 0 ? "" : kOpen;
}

std::optional<link::PipelineLayout> layout_of(const ShaderCreateInfo& info, const Objects& objects) {
  VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.setLayoutCount = info.set_layout_count;
  layout.pSetLayouts = info.set_layouts;
  layout.pushConstantRangeCount = info.push_constant_range_count;
  layout.pPushConstantRanges = info.push_constant_ranges;
  return read(layout, objects);
}

void read_layout(Subject& subject, const Set& set, const Objects& objects) {
  subject.description.layout = layout_of(*set.front(), objects);
  for (const ShaderCreateInfo* each : set)
    if (link::text(layout_of(*each, objects)) != link::text(subject.description.layout))
      subject.why_not = "its stages differ in their layout";
}

std::shared_ptr<const Words> words_of(const ShaderCreateInfo& info, Objects& objects) {
  return objects.words.share({static_cast<const std::uint32_t*>(info.code), info.code_size / sizeof(std::uint32_t)});
}

std::string refusal(const Set& set) {
  for (const ShaderCreateInfo* each : set)
    if (std::string why_not = refusal(*each); !why_not.empty()) return why_not;
  return {};
}

}  // namespace

Subject read_subject(const Set& set, Objects& objects) {
  if (std::string why_not = refusal(set); !why_not.empty()) return left_alone(set, std::move(why_not));
  Subject subject;
  for (const ShaderCreateInfo* each : set)
    if (subject.why_not.empty())
      add_stage(subject, {each->stage, each->name, each->specialization}, words_of(*each, objects));
  if (subject.why_not.empty()) subject.why_not = formats::why_not_linked(subject);
  if (subject.why_not.empty()) subject.why_not = open_end(subject, set);
  if (subject.why_not.empty() && subject.has(Stage::geometry)) subject.why_not = formats::kDynamicStream;
  if (subject.why_not.empty()) read_layout(subject, set, objects);
  subject.description.state.no_fragment = !subject.has(Stage::fragment);
  return subject;
}

Subject left_alone(const Set& infos, std::string why_not) {
  Subject subject;
  for (const ShaderCreateInfo* each : infos)
    if (const std::optional<Stage> stage = formats::stage_of_flag(each->stage))
      subject.stages.push_back({*stage, {}, nullptr});
  subject.why_not = std::move(why_not);
  return subject;
}

std::size_t size_in_shader_chain(std::uint32_t structure_type) {
  return structure_type == VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO
             ? sizeof(VkPipelineShaderStageRequiredSubgroupSizeCreateInfo)
             : 0;
}

}  // namespace varylink::layer
