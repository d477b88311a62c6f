#include "link/rules/finding.h"

namespace varylink::link {

std::string_view vuid_of(Rule rule, varyings::Direction direction) {
  switch (rule) {
    case Rule::missing_output:
    case Rule::missing_component: return "VUID-RuntimeSpirv-OpEntryPoint-08743";
    case Rule::component_type:
    case Rule::signedness: return "VUID-RuntimeSpirv-OpEntryPoint-07754";
    case Rule::vector_width: return "VUID-RuntimeSpirv-maintenance4-06817";
    case Rule::scalar_against_vector:
    case Rule::shape:
    case Rule::patch_mismatch:
    case Rule::per_primitive_mismatch:
    case Rule::built_in_block: return "VUID-RuntimeSpirv-OpVariable-08746";
    case Rule::overlap:
    case Rule::overlap_of_kinds:
      return direction == varyings::Direction::input ? "VUID-StandaloneSpirv-OpEntryPoint-08721"
                                                     : "VUID-StandaloneSpirv-OpEntryPoint-08722";
    case Rule::mixed_interpolation: return "VUID-StandaloneSpirv-Input-10604";
    case Rule::missing_flat: return "VUID-StandaloneSpirv-Flat-04744";
    case Rule::interpolation_differs:
    case Rule::read_not_written:
    case Rule::not_described: return "";
  }
  return "";
}

Severity severity_of(Rule rule, bool strict) {
  switch (rule) {
    case Rule::missing_output:
    case Rule::missing_component:
    case Rule::component_type:
    case Rule::vector_width:
    case Rule::per_primitive_mismatch:
    case Rule::built_in_block:
    case Rule::overlap:
    case Rule::mixed_interpolation: return Severity::error;
    case Rule::signedness:
    case Rule::scalar_against_vector:
    case Rule::shape:
    case Rule::patch_mismatch:
    case Rule::overlap_of_kinds:
    case Rule::missing_flat: return strict ? Severity::error : Severity::warning;
    case Rule::read_not_written:
    case Rule::not_described: return Severity::warning;
    case Rule::interpolation_differs: return Severity::note;
  }
  return Severity::error;
}

}  // namespace varylink::link
