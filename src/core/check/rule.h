// The rules of `varylink check`, as a table. docs/check.md lists them, and each has test cases.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/diagnostic.h"
#include "link/rules/finding.h"

namespace varylink::check {

enum class Rule : std::uint8_t {
  // one module
  invalid_module,
  validator_known_issue,
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
  mesh_output_counts,
  interface_8bit,
  interface_pointer,
  input_offset,
  pointer_alignment,
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
  payload_specialized,
  // the whole pipeline
  stages_mixed,
  no_first_stage,
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
  limit_fragment_outputs,
  limit_sample_mask,
  limit_patch_vertices,
  limit_geometry_vertices,
  limit_geometry_invocations,
  limit_mesh_vertices,
  limit_mesh_primitives,
  limit_mesh_size_x,
  limit_mesh_size_y,
  limit_mesh_size_z,
  limit_mesh_invocations,
  limit_task_size_x,
  limit_task_size_y,
  limit_task_size_z,
  limit_task_invocations,
  limit_task_payload,
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
  xfb_limit_stream_data,
  xfb_limit_streams,
  xfb_limit_emit_stream,
  xfb_streams_primitive,
};

// Severity of a broken rule, without and with --strict.
struct Weight {
  Severity severity;
  Severity strict;
};

struct RuleRow {
  Rule rule;
  const char* name;  // stable, in kebab case
  Weight weight;
  const char* vuid;  // empty if Vulkan has no valid-usage id for it
  const char* text;  // the message, one clause
};

// All rules in the order of the enumeration.
std::span<const RuleRow> rule_table();
const RuleRow& row_of(Rule rule);
Severity severity_of(Rule rule, bool strict);

// Whether a device may allow what the rule forbids.
bool is_limit(Rule rule);

// The rule that a finding of the matcher breaks. `direction` tells overlaps of inputs from those of outputs.
Rule rule_of(link::Rule rule, varyings::Direction direction);

}  // namespace varylink::check
