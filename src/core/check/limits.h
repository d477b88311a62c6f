// The device limits that bound stage interfaces (Vulkan, "Limits"; rule ).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "spirv/ir/stage.h"

namespace varylink::check {

// The defaults are the minimums that every implementation with the feature supports.
struct Limits {
  std::uint32_t max_vertex_output_components = 64;
  std::uint32_t max_tessellation_control_per_vertex_input_components = 64;
  std::uint32_t max_tessellation_control_per_vertex_output_components = 64;
  std::uint32_t max_tessellation_control_per_patch_output_components = 120;
  std::uint32_t max_tessellation_control_total_output_components = 2048;
  std::uint32_t max_tessellation_evaluation_input_components = 64;
  std::uint32_t max_tessellation_evaluation_output_components = 64;
  std::uint32_t max_geometry_input_components = 64;
  std::uint32_t max_geometry_output_components = 64;
  std::uint32_t max_geometry_total_output_components = 1024;
  std::uint32_t max_fragment_input_components = 64;
  std::uint32_t max_mesh_output_components = 128;
  std::uint32_t max_vertex_input_attributes = 16;
  std::uint32_t max_clip_distances = 8;
  std::uint32_t max_cull_distances = 8;
  std::uint32_t max_combined_clip_and_cull_distances = 8;
  std::uint32_t max_fragment_output_attachments = 4;
  std::uint32_t max_sample_mask_words = 1;
  std::uint32_t max_tessellation_patch_size = 32;
  std::uint32_t max_geometry_output_vertices = 256;
  std::uint32_t max_geometry_shader_invocations = 32;
  std::uint32_t max_mesh_output_vertices = 256;
  std::uint32_t max_mesh_output_primitives = 256;
  std::uint32_t max_mesh_work_group_size_x = 128;
  std::uint32_t max_mesh_work_group_size_y = 128;
  std::uint32_t max_mesh_work_group_size_z = 128;
  std::uint32_t max_mesh_work_group_invocations = 128;
  std::uint32_t max_task_work_group_size_x = 128;
  std::uint32_t max_task_work_group_size_y = 128;
  std::uint32_t max_task_work_group_size_z = 128;
  std::uint32_t max_task_work_group_invocations = 128;
  std::uint32_t max_task_payload_size = 16384;
  // The specification asks for 1 only, but for the feature geometryStreams too, which devices have with 4.
  std::uint32_t max_transform_feedback_streams = 4;
  std::uint32_t max_transform_feedback_stream_data_size = 512;
  std::uint32_t transform_feedback_streams_lines_triangles = 0;  // 1: supported
  std::uint32_t max_transform_feedback_buffer_data_size = 512;
  std::uint32_t max_transform_feedback_buffer_data_stride = 512;
};

// A JSON object whose keys are the names of VkPhysicalDeviceLimits and of the mesh shader and transform feedback
// properties, such as {"maxVertexOutputComponents": 128, "maxMeshWorkGroupSize": [128, 128, 128]}. Limits that are not
// named keep their defaults; the object may stand inside {"limits": ...}, and keys that do not bound interfaces are
// ignored, so that a device report can be used. Of a Vulkan profile ({"capabilities": ...}) the properties count; where
// its capabilities differ, the lower number. Error (usage): text that is no such object, an object with none of
// these limits, or a limit that is no number, no truth value, or too short a list of numbers.
Result<Limits> parse_limits(std::string_view json, const std::string& file);

}  // namespace varylink::check
