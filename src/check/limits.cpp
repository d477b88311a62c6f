#include "check/limits.h"

#include <nlohmann/json.hpp>

namespace varylink::check {
namespace {

struct LimitRow {
  const char* name;
  std::uint32_t Limits::*member;
};

constexpr LimitRow kLimits[] = {
    {"maxVertexOutputComponents", &Limits::max_vertex_output_components},
    {"maxTessellationControlPerVertexInputComponents", &Limits::max_tessellation_control_per_vertex_input_components},
    {"maxTessellationControlPerVertexOutputComponents", &Limits::max_tessellation_control_per_vertex_output_components},
    {"maxTessellationControlPerPatchOutputComponents", &Limits::max_tessellation_control_per_patch_output_components},
    {"maxTessellationControlTotalOutputComponents", &Limits::max_tessellation_control_total_output_components},
    {"maxTessellationEvaluationInputComponents", &Limits::max_tessellation_evaluation_input_components},
    {"maxTessellationEvaluationOutputComponents", &Limits::max_tessellation_evaluation_output_components},
    {"maxGeometryInputComponents", &Limits::max_geometry_input_components},
    {"maxGeometryOutputComponents", &Limits::max_geometry_output_components},
    {"maxGeometryTotalOutputComponents", &Limits::max_geometry_total_output_components},
    {"maxFragmentInputComponents", &Limits::max_fragment_input_components},
    {"maxMeshOutputComponents", &Limits::max_mesh_output_components},
    {"maxVertexInputAttributes", &Limits::max_vertex_input_attributes},
    {"maxClipDistances", &Limits::max_clip_distances},
    {"maxCullDistances", &Limits::max_cull_distances},
    {"maxCombinedClipAndCullDistances", &Limits::max_combined_clip_and_cull_distances},
    {"maxTransformFeedbackBufferDataSize", &Limits::max_transform_feedback_buffer_data_size},
    {"maxTransformFeedbackBufferDataStride", &Limits::max_transform_feedback_buffer_data_stride},
};

}  // namespace

Result<Limits> parse_limits(std::string_view json, const std::string& file) {
  const auto root = nlohmann::json::parse(json, nullptr, false);
  if (root.is_discarded() || !root.is_object())
    return make_error(ErrorKind::usage, file, "is not a JSON object of device limits");
  const auto inner = root.find("limits");
  const nlohmann::json& object = inner != root.end() && inner->is_object() ? *inner : root;
  Limits limits;
  for (const LimitRow& row : kLimits) {
    const auto found = object.find(row.name);
    if (found == object.end()) continue;
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > 0xffffffffu)
      return make_error(ErrorKind::usage, file, std::string(row.name) + " is not a number from 0 to 4294967295");
    limits.*row.member = found->get<std::uint32_t>();
  }
  return limits;
}

}  // namespace varylink::check
