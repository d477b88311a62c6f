#include "specialize_state/apply_state.h"

#include "specialize_state/attribute_components.h"
#include "specialize_state/known_built_ins.h"
#include "specialize_state/one_sample.h"
#include "specialize_state/unwritten_attachments.h"
#include "state/vulkan_format.h"

namespace varylink::specialize_state {
namespace {

using state::PipelineState;

// VkFormat's numeric type against the variable's.
bool reads(varyings::ScalarKind declared, const state::VulkanFormat& format) {
  switch (declared) {
    case varyings::ScalarKind::floating: return format.is_float();
    case varyings::ScalarKind::sint: return format.is_signed_integer();
    case varyings::ScalarKind::uint: return format.is_unsigned_integer();
    default: return true;
  }
}

// The id of the rule that a format breaks which does not fit the variable; null if it fits.
const char* broken_rule(varyings::ScalarType declared, const state::VulkanFormat& format) {
  if (!reads(declared.kind, format)) return "VUID-VkGraphicsPipelineCreateInfo-Input-08733";
  const bool declares_64_bits = declared.width == 64;
  if (format.has_64_bits() == declares_64_bits) return nullptr;
  return declares_64_bits ? "VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-08930"
                          : "VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-08929";
}

void check_attributes(const spirv::Module& module, const varyings::Entry& entry, const FileRef& file,
                      const PipelineState& state, Diagnostics& found) {
  for (const auto& variable : varyings::interface_variables(module, entry, varyings::Direction::input))
    for (const varyings::Leaf& leaf : variable.leaves) {
      const auto given = state.attribute_formats.find(leaf.slot.location);
      if (given == state.attribute_formats.end()) continue;
      const auto format = state::find_format(given->second);
      const char* const vuid = format ? broken_rule(leaf.scalar, *format) : nullptr;
      if (vuid == nullptr) continue;
      Diagnostic error = make_error(ErrorKind::interface_mismatch, file,
                                    "the vertex attribute has the format " + given->second + ", and the shader reads " +
                                        varyings::text(leaf.scalar),
                                    vuid);
      error.location = std::to_string(leaf.slot.location);
      found.push_back(std::move(error));
    }
}

// Of the primitives that a geometry stage takes; unknown if the module does not say.
state::Topology input_primitives(const spirv::Module& module, const varyings::Entry& entry) {
  for (const spirv::InstRef inst : module.execution_modes) {
    if (module.operand(inst, 0).word != entry.function) continue;
    switch (static_cast<spv::ExecutionMode>(module.operand(inst, 1).word)) {
      case spv::ExecutionMode::InputPoints: return state::Topology::points;
      case spv::ExecutionMode::InputLines:
      case spv::ExecutionMode::InputLinesAdjacency: return state::Topology::lines;
      case spv::ExecutionMode::Triangles:
      case spv::ExecutionMode::InputTrianglesAdjacency: return state::Topology::triangles;
      default: break;
    }
  }
  return state::Topology::unknown;
}

void check_topology(const spirv::Module& module, const varyings::Entry& entry, const FileRef& file,
                    state::Topology topology, bool pipeline_tessellates, Diagnostics& found) {
  const auto error = [&](const char* message, const char* vuid) {
    found.push_back(make_error(ErrorKind::interface_mismatch, file, message, vuid));
  };
  const bool tessellates = entry.stage == Stage::tess_control || entry.stage == Stage::tess_eval;
  if (tessellates && topology != state::Topology::patches)
    error("a pipeline that tessellates has the topology PATCH_LIST", "VUID-VkGraphicsPipelineCreateInfo-pStages-00736");
  if (pipeline_tessellates) return;
  if (entry.stage == Stage::vertex && topology == state::Topology::patches)
    error("the topology PATCH_LIST is for pipelines that tessellate",
          "VUID-VkGraphicsPipelineCreateInfo-topology-00737");
  if (entry.stage != Stage::geometry || topology == state::Topology::patches) return;
  const state::Topology taken = input_primitives(module, entry);
  if (taken != state::Topology::unknown && taken != topology)
    error("the geometry shader takes other primitives than the topology has",
          "VUID-VkGraphicsPipelineCreateInfo-pStages-00738");
}

}  // namespace

PipelineState apply_state(spirv::Module& module, const varyings::Entry& entry, const PipelineState& state) {
  PipelineState used;
  //
  if (state.samples == 1 && drop_sample_qualifiers(module, entry) && entry.stage == Stage::fragment) used.samples = 1;
  if (entry.stage == Stage::fragment && state.attachments &&
      drop_unwritten_outputs(module, entry, *state.attachments, state.alpha_to_coverage == false)) {
    used.attachments = state.attachments;
    used.alpha_to_coverage = state.alpha_to_coverage;
  }
  if (entry.stage == Stage::vertex) used.attribute_formats = fill_attribute_components(module, entry, state);
  if (state.view_mask)
    if (const auto view = only_view(*state.view_mask);
        view && set_built_in(module, entry, spv::BuiltIn::ViewIndex, *view))
      used.view_mask = state.view_mask;
  // not the evaluation stage's.
  if (entry.stage == Stage::tess_control && state.patch_control_points &&
      set_built_in(module, entry, spv::BuiltIn::PatchVertices, *state.patch_control_points))
    used.patch_control_points = state.patch_control_points;
  module.sweep();
  return used;
}

Diagnostics contradictions(const spirv::Module& module, const varyings::Entry& entry, const FileRef& file,
                           const PipelineState& state, bool pipeline_tessellates) {
  Diagnostics found;
  if (state.topology != state::Topology::unknown)
    check_topology(module, entry, file, state.topology, pipeline_tessellates, found);
  if (entry.stage == Stage::vertex) check_attributes(module, entry, file, state, found);
  return found;
}

}  // namespace varylink::specialize_state
