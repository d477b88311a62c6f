#include "check/rule.h"

#include <array>

namespace varylink::check {
namespace {

constexpr Weight kError{Severity::error, Severity::error};
constexpr Weight kWarning{Severity::warning, Severity::warning};
constexpr Weight kNote{Severity::note, Severity::note};
// Forbidden by the letter of the specification; the validation layer does not report it.
constexpr Weight kLetter{Severity::warning, Severity::error};

constexpr std::array kRules = {
    RuleRow{Rule::invalid_module, "invalid-module", kError, "", "the SPIR-V validator refuses the module"},
    RuleRow{Rule::validator_known_issue, "validator-known-issue", kWarning, "",
            "the SPIR-V validator refuses the module for a reason that newer versions of it took back"},
    RuleRow{Rule::overlap_input, "overlap-input", kError, "VUID-StandaloneSpirv-OpEntryPoint-08721",
            "two inputs take the same component of a location"},
    RuleRow{Rule::overlap_output, "overlap-output", kError, "VUID-StandaloneSpirv-OpEntryPoint-08722",
            "two outputs take the same component of a location"},
    RuleRow{Rule::overlap_of_kinds, "overlap-of-kinds", kLetter, "VUID-StandaloneSpirv-OpEntryPoint-08722",
            "a per-patch, per-primitive or other-stream variable takes the same component as a per-vertex one"},
    RuleRow{Rule::mixed_interpolation, "mixed-interpolation", kError, "VUID-StandaloneSpirv-Input-10604",
            "fragment inputs that share a location are interpolated differently"},
    RuleRow{Rule::missing_flat, "missing-flat", kLetter, "VUID-StandaloneSpirv-Flat-04744",
            "an integer or 64-bit fragment input, also inside a block or array, is not Flat"},
    RuleRow{Rule::not_described, "not-described", kWarning, "",
            "a variable whose locations are not known, such as an array sized by a specialization constant"},
    RuleRow{Rule::capability_16bit, "16bit-capability", kError, "VUID-RuntimeSpirv-storageInputOutput16-11162",
            "a 16-bit input or output without the capability StorageInputOutput16"},
    RuleRow{Rule::patch_in_wrong_stage, "patch-in-wrong-stage", kError, "",
            "Patch on something other than a tessellation control output or evaluation input"},
    RuleRow{Rule::per_vertex_array_size, "per-vertex-array-size", kWarning, "",
            "a per-vertex or per-primitive output array is not as long as the execution mode says"},
    RuleRow{Rule::duplicate_built_in_input, "duplicate-built-in-input", kError,
            "VUID-StandaloneSpirv-OpEntryPoint-09658", "a built-in is declared twice as an input"},
    RuleRow{Rule::duplicate_built_in_output, "duplicate-built-in-output", kError,
            "VUID-StandaloneSpirv-OpEntryPoint-09659", "a built-in is declared twice as an output"},
    RuleRow{Rule::mesh_output_read, "mesh-output-read", kError, "VUID-StandaloneSpirv-MeshEXT-07107",
            "a mesh shader reads one of its outputs"},
    RuleRow{Rule::mesh_output_counts, "mesh-output-counts", kError, "VUID-VkShaderModuleCreateInfo-pCode-08737",
            "SetMeshOutputsEXT with more vertices or primitives than the mesh stage declares"},
    RuleRow{Rule::interface_8bit, "8bit-interface", kError, "VUID-RuntimeSpirv-None-10980", "an 8-bit input or output"},
    RuleRow{Rule::interface_pointer, "pointer-interface", kError, "VUID-StandaloneSpirv-Input-09557",
            "an input or output that holds a pointer to a physical storage buffer"},
    RuleRow{Rule::input_offset, "input-offset", kError, "VUID-StandaloneSpirv-Offset-12509",
            "a member of an input block is decorated with Offset"},
    RuleRow{Rule::pointer_alignment, "pointer-alignment", kError, "VUID-StandaloneSpirv-PhysicalStorageBuffer64-06314",
            "a load or store through a physical pointer is aligned to less than its largest scalar"},
    RuleRow{Rule::missing_output, "missing-output", kError, "VUID-RuntimeSpirv-OpEntryPoint-08743",
            "an input has no output at its location"},
    RuleRow{Rule::missing_component, "missing-component", kError, "VUID-RuntimeSpirv-OpEntryPoint-08743",
            "the output at the location of an input lacks some of its components"},
    RuleRow{Rule::component_type, "component-type", kError, "VUID-RuntimeSpirv-OpEntryPoint-07754",
            "a component has another kind or width on the two sides"},
    RuleRow{Rule::signedness, "signedness", kLetter, "VUID-RuntimeSpirv-OpEntryPoint-07754",
            "a component is signed on one side and unsigned on the other"},
    RuleRow{Rule::vector_width, "vector-width", kError, "VUID-RuntimeSpirv-maintenance4-06817",
            "the input is a shorter vector than the output (allowed with --maintenance4)"},
    RuleRow{Rule::scalar_against_vector, "scalar-against-vector", kLetter, "VUID-RuntimeSpirv-OpVariable-08746",
            "the components are there, but in variables of another size"},
    RuleRow{Rule::shape, "shape", kLetter, "VUID-RuntimeSpirv-OpVariable-08746",
            "the components are there, but in another array, matrix or structure"},
    RuleRow{Rule::patch_mismatch, "patch-mismatch", kLetter, "VUID-RuntimeSpirv-OpVariable-08746",
            "Patch is on one side only"},
    RuleRow{Rule::per_primitive_mismatch, "per-primitive-mismatch", kError, "VUID-RuntimeSpirv-OpVariable-08746",
            "PerPrimitiveEXT is on one side only"},
    RuleRow{Rule::interpolation_differs, "interpolation-differs", kNote, "",
            "interpolation decorations of the two sides differ (an error with --pipeline-library)"},
    RuleRow{Rule::built_in_block, "built-in-block", kError, "VUID-RuntimeSpirv-OpVariable-08746",
            "the built-in blocks have not the same members in the same order"},
    RuleRow{Rule::read_not_written, "read-not-written", kWarning, "",
            "an input is read whose output is declared and never written"},
    RuleRow{Rule::primitive_id_geometry, "primitive-id-geometry", kError, "VUID-PrimitiveId-Fragment-04331",
            "the fragment stage reads PrimitiveId, which the geometry stage never writes"},
    RuleRow{Rule::primitive_id_mesh, "primitive-id-mesh", kError, "VUID-PrimitiveId-Fragment-04332",
            "the fragment stage reads PrimitiveId, which the mesh stage never writes"},
    RuleRow{Rule::payload_missing, "payload-missing", kError, "VUID-RuntimeSpirv-MeshEXT-12380",
            "the mesh stage uses a task payload that the task stage does not have"},
    RuleRow{Rule::payload_type, "payload-type", kError, "VUID-RuntimeSpirv-MeshEXT-12380",
            "the task payload has another type in the mesh stage"},
    RuleRow{Rule::payload_specialized, "payload-specialized", kWarning, "VUID-RuntimeSpirv-MeshEXT-12380",
            "the size of the task payload depends on specialization constants that differ in SpecId or default"},
    RuleRow{Rule::stages_mixed, "stages-mixed", kError, "VUID-VkGraphicsPipelineCreateInfo-pStages-02095",
            "mesh or task stages together with vertex, tessellation or geometry stages"},
    RuleRow{Rule::no_first_stage, "no-first-stage", kError, "VUID-VkGraphicsPipelineCreateInfo-stage-02096",
            "tessellation, geometry or task stages without a vertex or mesh stage (with --strict)"},
    RuleRow{Rule::no_tess_eval, "no-tess-eval", kError, "VUID-VkGraphicsPipelineCreateInfo-pStages-00729",
            "a tessellation control stage without an evaluation stage"},
    RuleRow{Rule::no_tess_control, "no-tess-control", kError, "VUID-VkGraphicsPipelineCreateInfo-pStages-00730",
            "a tessellation evaluation stage without a control stage"},
    RuleRow{Rule::no_subdivision, "no-subdivision", kError, "VUID-VkGraphicsPipelineCreateInfo-pStages-00732",
            "neither tessellation stage says triangles, quads or isolines"},
    RuleRow{Rule::subdivision_differs, "subdivision-differs", kError, "VUID-VkGraphicsPipelineCreateInfo-pStages-00733",
            "the tessellation stages name different domains"},
    RuleRow{Rule::no_patch_size, "no-patch-size", kError, "VUID-VkGraphicsPipelineCreateInfo-pStages-00734",
            "neither tessellation stage says how many vertices a patch has"},
    RuleRow{Rule::patch_size_differs, "patch-size-differs", kError, "VUID-VkGraphicsPipelineCreateInfo-pStages-00735",
            "the tessellation stages name different patch sizes"},
    RuleRow{Rule::geometry_input_primitive, "geometry-input-primitive", kError,
            "VUID-VkGraphicsPipelineCreateInfo-pStages-00739",
            "the geometry stage takes other primitives than tessellation makes"},
    RuleRow{Rule::limit_locations, "limit-locations", kError, "VUID-RuntimeSpirv-Location-06272",
            "a location above what the limit of the stage allows"},
    RuleRow{Rule::limit_components, "limit-components", kError, "VUID-RuntimeSpirv-Location-06272",
            "user-defined and built-in components together above the limit of the stage"},
    RuleRow{Rule::limit_patch_components, "limit-patch-components", kError, "VUID-RuntimeSpirv-Location-06272",
            "per-patch outputs above maxTessellationControlPerPatchOutputComponents"},
    RuleRow{Rule::limit_control_total, "limit-control-total", kError, "VUID-RuntimeSpirv-Location-06272",
            "outputs of all vertices and the patch above maxTessellationControlTotalOutputComponents"},
    RuleRow{Rule::limit_geometry_total, "limit-geometry-total", kError, "VUID-RuntimeSpirv-Location-06272",
            "outputs of all emitted vertices above maxGeometryTotalOutputComponents"},
    RuleRow{Rule::limit_clip_distances, "limit-clip-distances", kError, "", "more than maxClipDistances"},
    RuleRow{Rule::limit_cull_distances, "limit-cull-distances", kError, "", "more than maxCullDistances"},
    RuleRow{Rule::limit_combined_distances, "limit-combined-distances", kError, "",
            "more than maxCombinedClipAndCullDistances"},
    RuleRow{Rule::limit_fragment_outputs, "limit-fragment-outputs", kError, "VUID-RuntimeSpirv-Location-06272",
            "a fragment output at a location above what maxFragmentOutputAttachments allows"},
    RuleRow{Rule::limit_sample_mask, "limit-sample-mask", kError,
            "VUID-VkPipelineShaderStageCreateInfo-maxSampleMaskWords-00711",
            "a SampleMask array of more than maxSampleMaskWords"},
    RuleRow{Rule::limit_patch_vertices, "limit-patch-vertices", kError,
            "VUID-VkPipelineShaderStageCreateInfo-stage-00713",
            "patches of no or more than maxTessellationPatchSize vertices"},
    RuleRow{Rule::limit_geometry_vertices, "limit-geometry-vertices", kError,
            "VUID-VkPipelineShaderStageCreateInfo-stage-00714",
            "a geometry stage that emits no or more than maxGeometryOutputVertices vertices"},
    RuleRow{Rule::limit_geometry_invocations, "limit-geometry-invocations", kError,
            "VUID-VkPipelineShaderStageCreateInfo-stage-00715",
            "a geometry stage of no or more than maxGeometryShaderInvocations invocations"},
    RuleRow{Rule::limit_mesh_vertices, "limit-mesh-vertices", kError, "VUID-RuntimeSpirv-MeshEXT-07115",
            "a mesh stage of more than maxMeshOutputVertices"},
    RuleRow{Rule::limit_mesh_primitives, "limit-mesh-primitives", kError, "VUID-RuntimeSpirv-MeshEXT-07116",
            "a mesh stage of more than maxMeshOutputPrimitives"},
    RuleRow{Rule::limit_mesh_size_x, "limit-mesh-size-x", kError, "VUID-RuntimeSpirv-MeshEXT-07295",
            "a workgroup of the mesh stage above maxMeshWorkGroupSize[0]"},
    RuleRow{Rule::limit_mesh_size_y, "limit-mesh-size-y", kError, "VUID-RuntimeSpirv-MeshEXT-07296",
            "a workgroup of the mesh stage above maxMeshWorkGroupSize[1]"},
    RuleRow{Rule::limit_mesh_size_z, "limit-mesh-size-z", kError, "VUID-RuntimeSpirv-MeshEXT-07297",
            "a workgroup of the mesh stage above maxMeshWorkGroupSize[2]"},
    RuleRow{Rule::limit_mesh_invocations, "limit-mesh-invocations", kError, "VUID-RuntimeSpirv-MeshEXT-07298",
            "a workgroup of the mesh stage above maxMeshWorkGroupInvocations"},
    RuleRow{Rule::limit_task_size_x, "limit-task-size-x", kError, "VUID-RuntimeSpirv-TaskEXT-07291",
            "a workgroup of the task stage above maxTaskWorkGroupSize[0]"},
    RuleRow{Rule::limit_task_size_y, "limit-task-size-y", kError, "VUID-RuntimeSpirv-TaskEXT-07292",
            "a workgroup of the task stage above maxTaskWorkGroupSize[1]"},
    RuleRow{Rule::limit_task_size_z, "limit-task-size-z", kError, "VUID-RuntimeSpirv-TaskEXT-07293",
            "a workgroup of the task stage above maxTaskWorkGroupSize[2]"},
    RuleRow{Rule::limit_task_invocations, "limit-task-invocations", kError, "VUID-RuntimeSpirv-TaskEXT-07294",
            "a workgroup of the task stage above maxTaskWorkGroupInvocations"},
    RuleRow{Rule::limit_task_payload, "limit-task-payload", kError, "VUID-RuntimeSpirv-maxTaskPayloadSize-08758",
            "a task payload above maxTaskPayloadSize"},
    RuleRow{Rule::xfb_several_stages, "xfb-several-stages", kError, "VUID-VkGraphicsPipelineCreateInfo-pStages-02317",
            "several stages capture"},
    RuleRow{Rule::xfb_not_last_stage, "xfb-not-last-stage", kError, "VUID-VkGraphicsPipelineCreateInfo-pStages-02318",
            "a stage captures that is not the last one in front of the rasterizer"},
    RuleRow{Rule::xfb_no_buffer, "xfb-no-buffer", kError, "VUID-StandaloneSpirv-Offset-04716",
            "a captured output without XfbBuffer and XfbStride"},
    RuleRow{Rule::xfb_alignment, "xfb-alignment", kError, "VUID-StandaloneSpirv-Offset-04691",
            "a 32-bit output is captured at an offset that is not a multiple of 4"},
    RuleRow{Rule::xfb_alignment_64, "xfb-alignment-64", kError, "VUID-StandaloneSpirv-Offset-04687",
            "a 64-bit output is captured at an offset that is not a multiple of 8"},
    RuleRow{Rule::xfb_component_width, "xfb-component-width", kError, "VUID-StandaloneSpirv-Offset-04692",
            "a captured output whose components have neither 32 nor 64 bits"},
    RuleRow{Rule::xfb_stride_differs, "xfb-stride-differs", kError, "VUID-StandaloneSpirv-XfbBuffer-04693",
            "outputs captured into one buffer with different strides"},
    RuleRow{Rule::xfb_stream_differs, "xfb-stream-differs", kError, "VUID-StandaloneSpirv-Stream-04694",
            "outputs captured into one buffer from different streams"},
    RuleRow{Rule::xfb_overlap, "xfb-overlap", kError, "VUID-StandaloneSpirv-XfbBuffer-04696",
            "two outputs captured into the same bytes"},
    RuleRow{Rule::xfb_beyond_stride, "xfb-beyond-stride", kWarning, "",
            "a captured output that ends behind the stride"},
    RuleRow{Rule::xfb_limit_data_size, "xfb-limit-data-size", kError, "VUID-RuntimeSpirv-Offset-06308",
            "a captured output that ends behind maxTransformFeedbackBufferDataSize"},
    RuleRow{Rule::xfb_limit_stride, "xfb-limit-stride", kError, "VUID-RuntimeSpirv-XfbStride-06313",
            "a stride above maxTransformFeedbackBufferDataStride"},
    RuleRow{Rule::xfb_limit_stream_data, "xfb-limit-stream-data", kError, "VUID-RuntimeSpirv-XfbBuffer-06309",
            "what is captured from a stream, over all its buffers, is above maxTransformFeedbackStreamDataSize"},
    RuleRow{Rule::xfb_limit_streams, "xfb-limit-streams", kError, "VUID-RuntimeSpirv-Stream-06312",
            "an output of a stream that maxTransformFeedbackStreams does not allow"},
    RuleRow{Rule::xfb_limit_emit_stream, "xfb-limit-emit-stream", kError, "VUID-RuntimeSpirv-OpEmitStreamVertex-06310",
            "a vertex or primitive for a stream that maxTransformFeedbackStreams does not allow"},
    RuleRow{Rule::xfb_streams_primitive, "xfb-streams-primitive", kError,
            "VUID-RuntimeSpirv-transformFeedbackStreamsLinesTriangles-06311",
            "several streams of lines or triangles, without transformFeedbackStreamsLinesTriangles"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kRules.size(); ++i)
    if (static_cast<std::size_t>(kRules[i].rule) != i) return false;
  return true;
}
static_assert(in_order(), "row_of indexes the table by the rule's number");

}  // namespace

std::span<const RuleRow> rule_table() { return kRules; }

const RuleRow& row_of(Rule rule) { return kRules[static_cast<std::size_t>(rule)]; }

Severity severity_of(Rule rule, bool strict) {
  const Weight weight = row_of(rule).weight;
  return strict ? weight.strict : weight.severity;
}

bool is_limit(Rule rule) {
  const bool of_interface = rule >= Rule::limit_locations && rule <= Rule::limit_task_payload;
  return of_interface || (rule >= Rule::xfb_limit_data_size && rule <= Rule::xfb_streams_primitive);
}

Rule rule_of(link::Rule rule, varyings::Direction direction) {
  switch (rule) {
    case link::Rule::missing_output: return Rule::missing_output;
    case link::Rule::missing_component: return Rule::missing_component;
    case link::Rule::component_type: return Rule::component_type;
    case link::Rule::signedness: return Rule::signedness;
    case link::Rule::vector_width: return Rule::vector_width;
    case link::Rule::scalar_against_vector: return Rule::scalar_against_vector;
    case link::Rule::shape: return Rule::shape;
    case link::Rule::patch_mismatch: return Rule::patch_mismatch;
    case link::Rule::per_primitive_mismatch: return Rule::per_primitive_mismatch;
    case link::Rule::interpolation_differs: return Rule::interpolation_differs;
    case link::Rule::built_in_block: return Rule::built_in_block;
    case link::Rule::read_not_written: return Rule::read_not_written;
    case link::Rule::overlap:
      return direction == varyings::Direction::input ? Rule::overlap_input : Rule::overlap_output;
    case link::Rule::overlap_of_kinds: return Rule::overlap_of_kinds;
    case link::Rule::mixed_interpolation: return Rule::mixed_interpolation;
    case link::Rule::missing_flat: return Rule::missing_flat;
    case link::Rule::not_described: break;
  }
  return Rule::not_described;
}

}  // namespace varylink::check
