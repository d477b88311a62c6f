#include "check/rule.h"

#include <array>

namespace varylink::check {
namespace {

constexpr Severity kError = Severity::error;
constexpr Severity kWarning = Severity::warning;
constexpr Severity kNote = Severity::note;

constexpr std::array kRules = {
    RuleRow{Rule::invalid_module, "invalid-module", kError, "", "the SPIR-V validator refuses the module"},
    RuleRow{Rule::overlap_input, "overlap-input", kError, "VUID-StandaloneSpirv-OpEntryPoint-08721",
            "two inputs take the same component of a location"},
    RuleRow{Rule::overlap_output, "overlap-output", kError, "VUID-StandaloneSpirv-OpEntryPoint-08722",
            "two outputs take the same component of a location"},
    RuleRow{Rule::overlap_of_kinds, "overlap-of-kinds", kWarning, "VUID-StandaloneSpirv-OpEntryPoint-08722",
            "a per-patch, per-primitive or other-stream variable takes the same component as a per-vertex one"},
    RuleRow{Rule::mixed_interpolation, "mixed-interpolation", kError, "VUID-StandaloneSpirv-Input-10604",
            "fragment inputs that share a location are interpolated differently"},
    RuleRow{Rule::missing_flat, "missing-flat", kError, "VUID-StandaloneSpirv-Flat-04744",
            "an integer or 64-bit fragment input, also inside a block or array, is not Flat"},
    RuleRow{Rule::not_described, "not-described", kWarning, "",
            "a variable whose locations are not known, such as an array sized by a specialization constant"},
    RuleRow{Rule::capability_16bit, "16bit-capability", kError, "VUID-RuntimeSpirv-storageInputOutput16-06334",
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
    RuleRow{Rule::missing_output, "missing-output", kError, "VUID-RuntimeSpirv-OpEntryPoint-08743",
            "an input has no output at its location"},
    RuleRow{Rule::missing_component, "missing-component", kError, "VUID-RuntimeSpirv-OpEntryPoint-08743",
            "the output at the location of an input lacks some of its components"},
    RuleRow{Rule::component_type, "component-type", kError, "VUID-RuntimeSpirv-OpEntryPoint-07754",
            "a component has another kind or width on the two sides"},
    RuleRow{Rule::signedness, "signedness", kWarning, "VUID-RuntimeSpirv-OpEntryPoint-07754",
            "a component is signed on one side and unsigned on the other"},
    RuleRow{Rule::vector_width, "vector-width", kError, "VUID-RuntimeSpirv-maintenance4-06817",
            "the input is a shorter vector than the output (allowed with --maintenance4)"},
    RuleRow{Rule::scalar_against_vector, "scalar-against-vector", kError, "VUID-RuntimeSpirv-OpVariable-08746",
            "the components are there, but in variables of another size"},
    RuleRow{Rule::shape, "shape", kError, "VUID-RuntimeSpirv-OpVariable-08746",
            "the components are there, but in another array, matrix or structure"},
    RuleRow{Rule::patch_mismatch, "patch-mismatch", kError, "VUID-RuntimeSpirv-OpVariable-08746",
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
    RuleRow{Rule::payload_missing, "payload-missing", kError, "",
            "the mesh stage uses a task payload that the task stage does not have"},
    RuleRow{Rule::payload_type, "payload-type", kError, "", "the task payload has another type in the mesh stage"},
    RuleRow{Rule::stages_mixed, "stages-mixed", kError, "VUID-VkGraphicsPipelineCreateInfo-pStages-02095",
            "mesh or task stages together with vertex, tessellation or geometry stages"},
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

}  // namespace varylink::check
