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

// Formats that drivers draw to, coarse and fine, with and without all components.
std::vector<std::string> attachment_formats_for(Base base) {
  switch (base) {
    case Base::float32:
      return {"R8G8B8A8_UNORM", "R8G8B8A8_SRGB",           "B8G8R8A8_UNORM", "R16G16B16A16_SFLOAT",
              "R16G16_SFLOAT",  "B10G11R11_UFLOAT_PACK32", "R8_UNORM",       "A2B10G10R10_UNORM_PACK32"};
    case Base::sint32: return {"R8G8B8A8_SINT", "R16G16_SINT"};
    default: return {"R8G8B8A8_UINT", "R16G16_UINT"};
  }
}

struct LocatedVariable {
  std::uint32_t location = 0;
  Base base = Base::float32;
};

// "layout(location = 3) in uvec2 a7;" with " in " -> 3 and unsigned.
std::vector<LocatedVariable> variables_of(const StageModel& stage, std::string_view direction) {
  constexpr std::string_view kStart = "layout(location = ";
  std::vector<LocatedVariable> found;
  for (const Declaration& declaration : stage.declarations) {
    const std::size_t at = declaration.text.find(")" + std::string(direction));
    if (!declaration.text.starts_with(kStart) || at == std::string::npos) continue;
    const auto location = static_cast<std::uint32_t>(std::stoul(declaration.text.substr(kStart.size())));
    const std::string type = declaration.text.substr(at + 1 + direction.size());
    found.push_back({location, type.starts_with("u")   ? Base::uint32
                               : type.starts_with("i") ? Base::sint32
                                                       : Base::float32});
  }
  return found;
}

void add_formats(Random& random, const StageModel& vertex, state::PipelineState& state) {
  for (const LocatedVariable& attribute : variables_of(vertex, " in "))
    if (random.chance(0.6)) state.attribute_formats[attribute.location] = random.pick(formats_for(attribute.base));
}

void add_attachments(Random& random, const StageModel& last, state::PipelineState& state) {
  constexpr int kOutputs = 4;
  state.attachments.emplace();
  for (int i = 0; i < kOutputs; ++i) {
    state::ColorAttachment attachment;
    if (random.chance(0.3)) attachment.write_mask = random.chance(0.5) ? 0 : random.below(16);
    state.attachments->push_back(attachment);
  }
  if (random.chance(0.3)) state.attachments->pop_back();
  if (random.chance(0.5)) state.alpha_to_coverage = false;
  if (last.stage != Stage::fragment) return;
  for (const LocatedVariable& output : variables_of(last, " out "))
    if (output.location < state.attachments->size() && random.chance(0.4))
      (*state.attachments)[output.location].format = random.pick(attachment_formats_for(output.base));
}

state::PolygonMode pick_polygon_mode(Random& random) {
  if (random.chance(0.6)) return state::PolygonMode::fill;
  return random.chance(0.7) ? state::PolygonMode::line : state::PolygonMode::point;
}

}  // namespace

state::PipelineState plan_state(Random& random, Features& features, const PipelineModel& pipeline) {
  state::PipelineState state;
  state.shared_spec_constants = pipeline.shared_spec_constants;
  const bool is_plain = has(pipeline, Stage::vertex) && !has(pipeline, Stage::tess_eval);
  if (features.roll(random, "state one-sample") && !says(pipeline, "gl_Sample")) state.samples = 1;
  if (features.roll(random, "state attachments")) add_attachments(random, pipeline.stages.back(), state);
  if (is_plain && features.roll(random, "state formats")) add_formats(random, pipeline.stages.front(), state);
  if (features.roll(random, "state polygon-mode")) state.polygon_mode = pick_polygon_mode(random);
  if (is_plain && !has(pipeline, Stage::geometry) && features.roll(random, "state topology"))
    state.topology =
        random.chance(0.7) || says(pipeline, "interpolateAt") ? state::Topology::triangles : state::Topology::lines;
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

std::string layout_for_all_stages() {
  const std::string stages = R"("stages": ["vert", "tesc", "tese", "geom", "task", "mesh", "frag"])";
  std::string bindings;
  for (int binding = 0; binding < 12; ++binding)
    bindings += (binding ? ", " : "") + std::string(R"({"set": 0, "binding": )") + std::to_string(binding) + ", " +
                stages + "}";
  return R"({"bindings": [)" + bindings + R"(], "pushConstants": [{"offset": 0, "size": 128, )" + stages + "}]}";
}

}  // namespace varylink::fuzz
