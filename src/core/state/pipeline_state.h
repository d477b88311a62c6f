// Facts that the application states about a pipeline's state. Every fact is optional, and none is assumed.
// docs/pipeline-state.md describes the JSON form.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace varylink {
class StrictJson;
}

namespace varylink::state {

// Class of VkPrimitiveTopology.
enum class Topology : std::uint8_t { unknown, points, lines, triangles, patches };

// VkProvokingVertexModeEXT.
enum class ProvokingVertex : std::uint8_t { unknown, first, last };

// VkPolygonMode, for triangles.
enum class PolygonMode : std::uint8_t { unknown, fill, line, point, fill_rectangle };

// VkPipelineColorBlendAttachmentState and the attachment behind it.
struct ColorAttachment {
  bool is_used = true;             // false: VK_ATTACHMENT_UNUSED, or no format
  std::string format;              // without VK_FORMAT_; empty: not known
  std::uint32_t write_mask = 0xf;  // bit i: component i

  // Nothing that the fragment stage writes reaches it.
  bool takes_nothing() const { return !is_used || write_mask == 0; }

  friend bool operator==(const ColorAttachment&, const ColorAttachment&) = default;
  friend auto operator<=>(const ColorAttachment&, const ColorAttachment&) = default;
};

struct PipelineState {
  bool no_fragment = false;  // there is no fragment stage: the last outputs have no reader
  Topology topology = Topology::unknown;
  // Locations of vertex attributes with VK_VERTEX_INPUT_RATE_INSTANCE: the same for all vertices of a primitive,
  // whatever their divisor is. All of those that a matrix takes.
  std::set<std::uint32_t> instance_rate_attributes;
  // Every stage gets the same specialization data: a constant has the same value wherever its SpecId, type and default
  // are the same, also in a stage that did not declare it before.
  bool shared_spec_constants = false;

  std::map<std::uint32_t, std::string> attribute_formats;  // by location, names without VK_FORMAT_
  std::optional<std::uint32_t> patch_control_points;
  std::optional<bool> rasterizer_discard;
  std::optional<std::uint32_t> samples;  // rasterizationSamples
  std::optional<bool> sample_shading;
  std::optional<bool> alpha_to_coverage;
  std::optional<std::uint32_t> view_mask;
  ProvokingVertex provoking_vertex = ProvokingVertex::unknown;
  PolygonMode polygon_mode = PolygonMode::unknown;
  // By location of the fragment output. Locations behind the end have no attachment.
  std::optional<std::vector<ColorAttachment>> attachments;
  std::string depth_format, stencil_format;  // "UNDEFINED": there is none; empty: not known
  // Names without VK_DYNAMIC_STATE_. The states that they set are unknown; ask PipelineState's other members only.
  std::set<std::string> dynamic_states;

  friend bool operator==(const PipelineState&, const PipelineState&) = default;
  friend auto operator<=>(const PipelineState&, const PipelineState&) = default;
};

// The facts that hold in both.
PipelineState common(const PipelineState& a, const PipelineState& b);
// The facts of both; where they contradict each other, those of b.
PipelineState combined(const PipelineState& a, const PipelineState& b);

// Removes the facts that dynamic_states make unknown.
void forget_dynamic(PipelineState& state);

// Error: usage, naming `file`, also for members with other names.
Result<PipelineState> parse_pipeline_state(std::string_view json, const std::string& file);
// The same for a part of a text.
PipelineState read_pipeline_state(const StrictJson& json);
// The keys that it knows; the schema in docs has the same.
const std::vector<std::string>& pipeline_state_keys();

// JSON of the same form on one line, "{}" without facts. Equal states give equal texts.
std::string to_json(const PipelineState& state);

}  // namespace varylink::state
