// The device limits that bound what crosses a stage interface (Vulkan, "Limits"; rule ).
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
  std::uint32_t max_transform_feedback_buffer_data_size = 512;
  std::uint32_t max_transform_feedback_buffer_data_stride = 512;
};

// A JSON object whose keys are the names of VkPhysicalDeviceLimits and of the mesh shader and transform feedback
// properties, such as {"maxVertexOutputComponents": 128}. Limits that are not named keep their defaults; the object may
// stand inside {"limits": ...}, and keys that do not bound interfaces are ignored, so that a device report can be used.
// Error (usage): text that is no such object, or a limit that is no number of components.
Result<Limits> parse_limits(std::string_view json, const std::string& file);

}  // namespace varylink::check
