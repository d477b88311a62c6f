// What the application says about the state that a pipeline is made with, as far as shaders cannot tell. Every fact is
// optional: what is not said is not assumed.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"

namespace varylink::analysis {

// Class of VkPrimitiveTopology.
enum class Topology : std::uint8_t { unknown, points, lines, triangles };

struct PipelineState {
  bool no_fragment = false;  // there is no fragment stage: nobody reads the last outputs
  Topology topology = Topology::unknown;
  // Locations of vertex attributes with VK_VERTEX_INPUT_RATE_INSTANCE: the same for all vertices of a primitive,
  // whatever their divisor is. All of those that a matrix takes.
  std::set<std::uint32_t> instance_rate_attributes;
  // Every stage gets the same specialization data: a constant has the same value wherever its SpecId, type and default
  // are the same, also in a stage that did not declare it before.
  bool shared_spec_constants = false;

  friend bool operator==(const PipelineState&, const PipelineState&) = default;
  friend auto operator<=>(const PipelineState&, const PipelineState&) = default;
};

// What holds in both.
PipelineState common(const PipelineState& a, const PipelineState& b);
// What either says. Where they contradict each other, b.
PipelineState combined(const PipelineState& a, const PipelineState& b);

// Reads {"topology": "points", "instanceRateAttributes": [3, 4], "noFragment": true, "sharedSpecConstants": true};
// "lines" and "triangles" are the other topologies. Error: usage, naming `file`, also for members with other names.
Result<PipelineState> parse_pipeline_state(std::string_view json, const std::string& file);

// JSON of the same form on one line, "{}" if nothing is said.
std::string to_json(const PipelineState& state);

}  // namespace varylink::analysis
