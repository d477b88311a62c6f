// The rules of `varylink check`, as a table: what docs/check.md lists, what the tests must have a case for.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/diagnostic.h"

namespace varylink::check {

enum class Rule : std::uint8_t {
  // one module
  invalid_module,
  overlap_input,
  overlap_output,
  overlap_of_kinds,
  mixed_interpolation,
  missing_flat,
  not_described,
  capability_16bit,
  patch_in_wrong_stage,
  per_vertex_array_size,
  duplicate_built_in_input,
  duplicate_built_in_output,
  mesh_output_read,
  // two stages
  missing_output,
  missing_component,
  component_type,
  signedness,
  vector_width,
  scalar_against_vector,
  shape,
  patch_mismatch,
  per_primitive_mismatch,
  interpolation_differs,
  built_in_block,
  read_not_written,
  primitive_id_geometry,
  primitive_id_mesh,
  payload_missing,
  payload_type,
  // the whole pipeline
  stages_mixed,
  no_tess_eval,
  no_tess_control,
  no_subdivision,
  subdivision_differs,
  no_patch_size,
  patch_size_differs,
  geometry_input_primitive,
  // limits
  limit_locations,
  limit_components,
  limit_patch_components,
  limit_control_total,
  limit_geometry_total,
  limit_clip_distances,
  limit_cull_distances,
  limit_combined_distances,
  // transform feedback
  xfb_several_stages,
  xfb_not_last_stage,
  xfb_no_buffer,
  xfb_alignment,
  xfb_alignment_64,
  xfb_component_width,
  xfb_stride_differs,
  xfb_stream_differs,
  xfb_overlap,
  xfb_beyond_stride,
  xfb_limit_data_size,
  xfb_limit_stride,
};

struct RuleRow {
  Rule rule;
  const char* name;  // stable, in kebab case
  Severity severity;
  const char* vuid;  // empty if Vulkan has no valid-usage id for it
  const char* text;  // what is reported, one clause
};

// All rules in the order of the enumeration.
std::span<const RuleRow> rule_table();
const RuleRow& row_of(Rule rule);

}  // namespace varylink::check
