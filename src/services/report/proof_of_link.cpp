#include "report/proof_of_link.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "state/vulkan_format.h"

namespace varylink::report {
namespace {

//
std::optional<std::pair<double, double>> range_of(const state::VulkanFormat& format, std::uint32_t component) {
  using Kind = state::VulkanFormat::Kind;
  const int bits = format.bits[component];
  const bool is_integer = format.kind == Kind::uint || format.kind == Kind::sint;
  if (bits >= 32 || (is_integer && component == 3)) return std::nullopt;
  const double half = std::ldexp(1.0, bits - 1);
  if (format.kind == Kind::unorm || format.kind == Kind::srgb) return std::pair(0.0, 1.0);
  if (format.kind == Kind::snorm) return std::pair(-1.0, 1.0);
  if (format.kind == Kind::uint || format.kind == Kind::uscaled) return std::pair(0.0, 2 * half - 1);
  if (format.kind == Kind::sint || format.kind == Kind::sscaled) return std::pair(-half, half - 1);
  return std::nullopt;
}

// Components that do not come to the attachment, whatever blending does with them.
bool leaves_out(const state::ColorAttachment& attachment, std::uint32_t component) {
  const std::optional<state::VulkanFormat> format = state::find_format(attachment.format);
  return (attachment.write_mask >> component & 1) == 0 || (format && format->bits[component] == 0);
}

void add_layout(const link::PipelineLayout& layout, prove::PipelineFacts& facts) {
  for (const link::PipelineLayout::Binding& entry : layout.bindings)
    facts.bindings[{entry.set, entry.binding}].insert(entry.stages.begin(), entry.stages.end());
  for (const link::PipelineLayout::PushConstantRange& range : layout.push_constants)
    facts.push_constants.push_back({range.offset, range.size, {range.stages.begin(), range.stages.end()}});
}

}  // namespace

std::vector<prove::StageWords> proof_stages(const std::vector<link::StageInput>& stages) {
  std::vector<prove::StageWords> result;
  for (const link::StageInput& stage : stages) result.push_back({stage.stage, stage.words, stage.entry_point});
  std::ranges::sort(result, {}, &prove::StageWords::stage);
  return result;
}

prove::PipelineFacts facts_of(const state::PipelineState& state, const std::optional<link::PipelineLayout>& layout) {
  prove::PipelineFacts facts;
  facts.shared_specialization = state.shared_spec_constants;
  facts.one_sample = state.samples == 1;
  facts.points = state.topology == state::Topology::points;
  facts.lines = state.topology == state::Topology::lines;
  facts.triangles = state.topology == state::Topology::triangles;
  facts.polygons_are_points =
      state.polygon_mode == state::PolygonMode::unknown || state.polygon_mode == state::PolygonMode::point;
  facts.patch_vertices = state.patch_control_points;
  if (state.view_mask == 0)
    facts.view = 0;
  else if (state.view_mask && std::has_single_bit(*state.view_mask))
    facts.view = std::countr_zero(*state.view_mask);
  facts.instance_attributes = state.instance_rate_attributes;
  for (const auto& [location, name] : state.attribute_formats)
    if (const auto format = state::find_format(name))
      for (std::uint32_t i = 0; i < 4; ++i) {
        if (format->bits[i] == 0)
          facts.missing_attributes.insert({location, i});
        else if (const auto range = range_of(*format, i))
          facts.attribute_ranges[{location, i}] = *range;
      }
  if (state.attachments) {
    facts.targets.emplace();
    for (const state::ColorAttachment& attachment : *state.attachments) {
      const auto location = static_cast<std::uint32_t>(facts.targets->size());
      facts.targets->push_back(!attachment.takes_nothing());
      for (std::uint32_t component = 0; component < 4; ++component)
        if (leaves_out(attachment, component)) facts.left_out.insert({location, component});
    }
  }
  facts.alpha_counts = state.alpha_to_coverage != false;
  if (layout) add_layout(*layout, facts);
  return facts;
}

prove::Proof proof_of_link(const link::PipelineInput& original, const link::LinkedPipeline& linked, link::Level level,
                           std::uint64_t budget) {
  const std::vector<prove::StageWords> before = proof_stages(original.stages);
  std::vector<prove::StageWords> after = before;
  for (prove::StageWords& stage : after)
    for (const link::StageOutput& output : linked.stages)
      if (output.stage == stage.stage) stage.words = output.words;
  prove::ProveOptions options;
  options.budget = budget;
  options.semantics = level >= link::Level::motion ? prove::Semantics::linear : prove::Semantics::exact;
  options.facts = facts_of(linked.assumptions.state, linked.assumptions.layout);
  options.no_fragment = original.state.no_fragment;
  return prove::prove(before, after, options);
}

void refuse_unproved(link::LinkedPipeline& linked, const prove::Proof& proof) {
  const Diagnostic error =
      make_error(ErrorKind::verification_failed, "", std::string(prove::name_of(proof.verdict)) + ": " + proof.reason);
  linked.diagnostics.push_back(error);
  linked.failure = error.kind;
  linked.stages.clear();
}

}  // namespace varylink::report
