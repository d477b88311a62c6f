#include "state/pipeline_state.h"

#include <algorithm>
#include <iterator>

#include "base/strict_json.h"
#include "state/dynamic_states.h"

namespace varylink::state {
namespace {

template <typename T>
T equal_or_none(const T& a, const T& b) {
  return a == b ? a : T();
}

// A location takes what it takes in one of both.
std::optional<std::vector<ColorAttachment>> common_attachments(const PipelineState& a, const PipelineState& b) {
  if (!a.attachments || !b.attachments) return std::nullopt;
  std::vector<ColorAttachment> both(std::max(a.attachments->size(), b.attachments->size()));
  const auto at = [](const std::vector<ColorAttachment>& list, std::size_t location) {
    return location < list.size() ? list[location] : ColorAttachment{false, {}, 0};
  };
  for (std::size_t i = 0; i < both.size(); ++i) {
    const ColorAttachment one = at(*a.attachments, i), other = at(*b.attachments, i);
    both[i].is_used = one.is_used || other.is_used;
    both[i].format = equal_or_none(one.format, other.format);
    both[i].write_mask = (one.is_used ? one.write_mask : 0) | (other.is_used ? other.write_mask : 0);
  }
  return both;
}

template <typename T>
void override_with(std::optional<T>& value, const std::optional<T>& other) {
  if (other) value = other;
}

}  // namespace

PipelineState common(const PipelineState& a, const PipelineState& b) {
  PipelineState both;
  both.no_fragment = a.no_fragment && b.no_fragment;
  both.shared_spec_constants = a.shared_spec_constants && b.shared_spec_constants;
  both.topology = equal_or_none(a.topology, b.topology);
  std::set_intersection(a.instance_rate_attributes.begin(), a.instance_rate_attributes.end(),
                        b.instance_rate_attributes.begin(), b.instance_rate_attributes.end(),
                        std::inserter(both.instance_rate_attributes, both.instance_rate_attributes.end()));
  std::set_intersection(a.attribute_formats.begin(), a.attribute_formats.end(), b.attribute_formats.begin(),
                        b.attribute_formats.end(), std::inserter(both.attribute_formats, both.attribute_formats.end()));
  both.patch_control_points = equal_or_none(a.patch_control_points, b.patch_control_points);
  both.rasterizer_discard = equal_or_none(a.rasterizer_discard, b.rasterizer_discard);
  both.samples = equal_or_none(a.samples, b.samples);
  both.sample_shading = equal_or_none(a.sample_shading, b.sample_shading);
  both.alpha_to_coverage = equal_or_none(a.alpha_to_coverage, b.alpha_to_coverage);
  both.view_mask = equal_or_none(a.view_mask, b.view_mask);
  both.provoking_vertex = equal_or_none(a.provoking_vertex, b.provoking_vertex);
  both.polygon_mode = equal_or_none(a.polygon_mode, b.polygon_mode);
  both.attachments = common_attachments(a, b);
  both.depth_format = equal_or_none(a.depth_format, b.depth_format);
  both.stencil_format = equal_or_none(a.stencil_format, b.stencil_format);
  both.dynamic_states = a.dynamic_states;
  both.dynamic_states.insert(b.dynamic_states.begin(), b.dynamic_states.end());
  return both;
}

PipelineState combined(const PipelineState& a, const PipelineState& b) {
  PipelineState either = a;
  either.no_fragment = a.no_fragment || b.no_fragment;
  either.shared_spec_constants = a.shared_spec_constants || b.shared_spec_constants;
  if (b.topology != Topology::unknown) either.topology = b.topology;
  either.instance_rate_attributes.insert(b.instance_rate_attributes.begin(), b.instance_rate_attributes.end());
  for (const auto& [location, format] : b.attribute_formats) either.attribute_formats[location] = format;
  override_with(either.patch_control_points, b.patch_control_points);
  override_with(either.rasterizer_discard, b.rasterizer_discard);
  override_with(either.samples, b.samples);
  override_with(either.sample_shading, b.sample_shading);
  override_with(either.alpha_to_coverage, b.alpha_to_coverage);
  override_with(either.view_mask, b.view_mask);
  if (b.provoking_vertex != ProvokingVertex::unknown) either.provoking_vertex = b.provoking_vertex;
  if (b.polygon_mode != PolygonMode::unknown) either.polygon_mode = b.polygon_mode;
  override_with(either.attachments, b.attachments);
  if (!b.depth_format.empty()) either.depth_format = b.depth_format;
  if (!b.stencil_format.empty()) either.stencil_format = b.stencil_format;
  either.dynamic_states.insert(b.dynamic_states.begin(), b.dynamic_states.end());
  forget_dynamic(either);
  return either;
}

void forget_dynamic(PipelineState& state) {
  const auto is_dynamic = [&](const char* name) { return state.dynamic_states.count(name) != 0; };
  if (is_dynamic("PRIMITIVE_TOPOLOGY")) state.topology = Topology::unknown;
  if (is_dynamic("VERTEX_INPUT_EXT")) {
    state.attribute_formats.clear();
    state.instance_rate_attributes.clear();
  }
  if (is_dynamic("PATCH_CONTROL_POINTS_EXT")) state.patch_control_points.reset();
  if (is_dynamic("RASTERIZER_DISCARD_ENABLE")) state.rasterizer_discard.reset();
  if (is_dynamic("RASTERIZATION_SAMPLES_EXT") || std::ranges::any_of(state.dynamic_states, moves_samples))
    state.samples.reset();
  if (is_dynamic("ALPHA_TO_COVERAGE_ENABLE_EXT")) state.alpha_to_coverage.reset();
  if (is_dynamic("PROVOKING_VERTEX_MODE_EXT")) state.provoking_vertex = ProvokingVertex::unknown;
  if (is_dynamic("POLYGON_MODE_EXT")) state.polygon_mode = PolygonMode::unknown;
  if (is_dynamic("COLOR_WRITE_MASK_EXT") && state.attachments)
    for (ColorAttachment& attachment : *state.attachments) attachment.write_mask = 0xf;
}

}  // namespace varylink::state
