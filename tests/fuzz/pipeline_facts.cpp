#include "fuzz/pipeline_facts.h"

#include <algorithm>
#include <string>
#include <vector>

namespace varylink::fuzz {
namespace {

bool has(const PipelineModel& pipeline, Stage stage) {
  return std::any_of(pipeline.stages.begin(), pipeline.stages.end(),
                     [&](const StageModel& each) { return each.stage == stage; });
}

bool says(const PipelineModel& pipeline, std::string_view text) {
  return std::any_of(pipeline.stages.begin(), pipeline.stages.end(),
                     [&](const StageModel& stage) { return print(stage).find(text) != std::string::npos; });
}

// Formats with ranges, with fewer components than are read, and with neither. Drivers draw from all of them.
std::vector<std::string> formats_for(Base base) {
  switch (base) {
    case Base::float32:
      return {"R8G8B8A8_UNORM", "R8G8B8A8_SNORM",      "R8G8_UNORM", "R16G16B16A16_SNORM",
              "R32G32_SFLOAT",  "R32G32B32A32_SFLOAT", "R32_SFLOAT", "R32G32B32_SFLOAT"};
    case Base::sint32: return {"R8G8B8A8_SINT", "R16G16_SINT", "R32_SINT"};
    default: return {"R8G8B8A8_UINT", "R16G16_UINT", "R32_UINT"};
  }
}

// "layout(location = 3) in uvec2 a7;" -> 3.
void add_formats(Random& random, const StageModel& vertex, analysis::PipelineState& state) {
  constexpr std::string_view kStart = "layout(location = ";
  for (const Declaration& declaration : vertex.declarations) {
    const std::size_t in = declaration.text.find(") in ");
    if (!declaration.text.starts_with(kStart) || in == std::string::npos || !random.chance(0.6)) continue;
    const auto location = static_cast<std::uint32_t>(std::stoul(declaration.text.substr(kStart.size())));
    const std::string type = declaration.text.substr(in + 5);
    const Base base = type.starts_with("u") ? Base::uint32 : type.starts_with("i") ? Base::sint32 : Base::float32;
    state.attribute_formats[location] = random.pick(formats_for(base));
  }
}

void add_attachments(Random& random, analysis::PipelineState& state) {
  constexpr int kOutputs = 4;
  state.attachments.emplace();
  for (int i = 0; i < kOutputs; ++i) {
    analysis::ColorAttachment attachment;
    if (random.chance(0.3)) attachment.write_mask = random.chance(0.5) ? 0 : random.below(16);
    state.attachments->push_back(attachment);
  }
  if (random.chance(0.3)) state.attachments->pop_back();
  if (random.chance(0.5)) state.alpha_to_coverage = false;
}

}  // namespace

analysis::PipelineState plan_state(Random& random, Features& features, const PipelineModel& pipeline) {
  analysis::PipelineState state;
  state.shared_spec_constants = pipeline.shared_spec_constants;
  const bool is_plain = has(pipeline, Stage::vertex) && !has(pipeline, Stage::tess_eval);
  if (features.roll(random, "state one-sample") && !says(pipeline, "gl_Sample")) state.samples = 1;
  if (features.roll(random, "state attachments")) add_attachments(random, state);
  if (is_plain && features.roll(random, "state formats")) add_formats(random, pipeline.stages.front(), state);
  if (features.roll(random, "state polygon-mode")) state.polygon_mode = analysis::PolygonMode::fill;
  if (is_plain && !has(pipeline, Stage::geometry) && features.roll(random, "state topology"))
    state.topology = random.chance(0.7) || says(pipeline, "interpolateAt") ? analysis::Topology::triangles
                                                                           : analysis::Topology::lines;
  if (has(pipeline, Stage::tess_control) && features.roll(random, "state patch-size")) state.patch_control_points = 3;
  return state;
}

spirv::SpecializationValues plan_specialization(Random& random, Features& features, const PipelineModel& pipeline) {
  spirv::SpecializationValues values;
  if (!says(pipeline, "kSpec") || !features.roll(random, "specialization")) return values;
  if (random.chance(0.7)) values[3] = random.pick(std::vector<std::string>{"1", "3", "5", "8"});
  if (random.chance(0.7)) values[4] = random.pick(std::vector<std::string>{"0.0", "1.0", "-0.5", "0.75", "2.5"});
  return values;
}

}  // namespace varylink::fuzz
