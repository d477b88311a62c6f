#include "check/limits.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace varylink::check {
namespace {

struct LimitRow {
  const char* name;
  std::uint32_t Limits::*member;
  std::size_t index = 0;  // in a list
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
    {"maxFragmentOutputAttachments", &Limits::max_fragment_output_attachments},
    {"maxSampleMaskWords", &Limits::max_sample_mask_words},
    {"maxTessellationPatchSize", &Limits::max_tessellation_patch_size},
    {"maxGeometryOutputVertices", &Limits::max_geometry_output_vertices},
    {"maxGeometryShaderInvocations", &Limits::max_geometry_shader_invocations},
    {"maxMeshOutputVertices", &Limits::max_mesh_output_vertices},
    {"maxMeshOutputPrimitives", &Limits::max_mesh_output_primitives},
    {"maxMeshWorkGroupSize", &Limits::max_mesh_work_group_size_x, 0},
    {"maxMeshWorkGroupSize", &Limits::max_mesh_work_group_size_y, 1},
    {"maxMeshWorkGroupSize", &Limits::max_mesh_work_group_size_z, 2},
    {"maxMeshWorkGroupInvocations", &Limits::max_mesh_work_group_invocations},
    {"maxTaskWorkGroupSize", &Limits::max_task_work_group_size_x, 0},
    {"maxTaskWorkGroupSize", &Limits::max_task_work_group_size_y, 1},
    {"maxTaskWorkGroupSize", &Limits::max_task_work_group_size_z, 2},
    {"maxTaskWorkGroupInvocations", &Limits::max_task_work_group_invocations},
    {"maxTaskPayloadSize", &Limits::max_task_payload_size},
    {"maxTransformFeedbackStreams", &Limits::max_transform_feedback_streams},
    {"maxTransformFeedbackStreamDataSize", &Limits::max_transform_feedback_stream_data_size},
    {"transformFeedbackStreamsLinesTriangles", &Limits::transform_feedback_streams_lines_triangles},
    {"maxTransformFeedbackBufferDataSize", &Limits::max_transform_feedback_buffer_data_size},
    {"maxTransformFeedbackBufferDataStride", &Limits::max_transform_feedback_buffer_data_stride},
};

// A number, or the one at `index` of a list; 1 and 0 for true and false.
std::optional<std::uint32_t> value_of(const nlohmann::json& value, std::size_t index) {
  if (value.is_array()) return index < value.size() ? value_of(value[index], index) : std::nullopt;
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 0xffffffffu) return std::nullopt;
  return value.get<std::uint32_t>();
}

// Error: a limit that is no number.
Result<void> read_limits(const nlohmann::json& object, const std::string& file,
                         std::map<std::string, std::uint32_t>& found) {
  for (const LimitRow& row : kLimits) {
    const auto given = object.find(row.name);
    if (given == object.end()) continue;
    const std::optional<std::uint32_t> value = value_of(*given, row.index);
    if (!value)
      return make_error(ErrorKind::usage, file, std::string(row.name) + " is not a number from 0 to 4294967295");
    const auto [entry, is_new] = found.try_emplace(row.name + std::to_string(row.index), *value);
    entry->second = std::min(entry->second, *value);
  }
  return {};
}

// Properties of a profile stand in structures by name, those of Vulkan 1.0 in "limits" of one of them.
Result<void> read_profile(const nlohmann::json& capabilities, const std::string& file,
                          std::map<std::string, std::uint32_t>& found) {
  for (const nlohmann::json& capability : capabilities) {
    const auto properties = capability.is_object() ? capability.find("properties") : capability.end();
    if (properties == capability.end() || !properties->is_object()) continue;
    for (const nlohmann::json& structure : *properties) {
      if (!structure.is_object()) continue;
      if (const Result<void> read = read_limits(structure, file, found); !read) return read;
      const auto limits = structure.find("limits");
      if (limits == structure.end() || !limits->is_object()) continue;
      if (const Result<void> read = read_limits(*limits, file, found); !read) return read;
    }
  }
  return {};
}

}  // namespace

Result<Limits> parse_limits(std::string_view json, const std::string& file) {
  const auto root = nlohmann::json::parse(json, nullptr, false);
  if (root.is_discarded() || !root.is_object())
    return make_error(ErrorKind::usage, file, "is not a JSON object of device limits");
  const auto inner = root.find("limits");
  const auto profile = root.find("capabilities");
  std::map<std::string, std::uint32_t> found;
  const bool is_profile = profile != root.end() && profile->is_object();
  const Result<void> read = is_profile
                                ? read_profile(*profile, file, found)
                                : read_limits(inner != root.end() && inner->is_object() ? *inner : root, file, found);
  if (!read) return read.error();
  if (found.empty() && !is_profile)
    return make_error(ErrorKind::usage, file, "has none of the limits that are checked");
  Limits limits;
  for (const LimitRow& row : kLimits)
    if (const auto value = found.find(row.name + std::to_string(row.index)); value != found.end())
      limits.*row.member = value->second;
  return limits;
}

}  // namespace varylink::check
