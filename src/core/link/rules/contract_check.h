// The outside contract: properties that the application around the pipeline relies on and linking must leave as they
// were.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "link/model/pipeline_layout.h"
#include "link/rules/interface_model.h"

namespace varylink::link {

struct ContractOptions {
  bool strip_unused_resources = false;     // resource and specialization constant declarations may have gone
  bool strip_unused_attributes = false;    // vertex inputs may have gone
  bool last_pre_rasterization = false;     // the stage feeds the rasterizer: its written built-ins must stay
  const PipelineLayout* layout = nullptr;  // resources that it gives to the stage may have been added
  // Specialization constants of the pipeline's other stages, which may have been added if all stages are promised to
  // get the same specialization data.
  std::vector<std::string> shared_spec_constants = {};
  bool one_variable_each = false;  // variables that shared a location may have got more locations
};

// Compares a linked stage with its original. Errors (kind verification_failed): a location above the highest one or
// more locations than before (rule ); another version, memory model, name or execution mode; a capability or
// extension that is new; an interface list that breaks the rule of the module's version (rule ); vertex inputs,
// fragment outputs, descriptor bindings, push constants, specialization constants or captured outputs that differ; a
// descriptor behind the end of its array (rule ); a changed set of fragment built-ins; the last Sample input lost
// (rule ); instructions with effects (link/rules/contract_effects.h) that are more than inlining and unrolling
// make of them, have other operands than before or are no longer NonUniform, or that always ran and are gone. Empty if
// all is well. The outside of the pipeline stays (rule ), and no module asks for more than before (rule ).
Diagnostics check_contract(const StageView& original, const StageView& linked, const ContractOptions& options = {});

}  // namespace varylink::link
