// Facts of a module that the application and the fixed functions see, as sorted lists by which two modules are
// compared. Each fact is a text: the difference between two lists is the message.
#pragma once

#include <string>
#include <vector>

#include "link/model/pipeline_layout.h"
#include "link/rules/interface_model.h"

namespace varylink::link {

// Sorted; a fact that holds twice stands twice.
using Facts = std::vector<std::string>;

// Model and name of each.
Facts entry_points(const StageView& stage);
Facts capabilities(const StageView& stage);
Facts extensions(const StageView& stage);
// "depth replacing" style texts: mode number and its operands, constants and specialization ids resolved.
Facts execution_modes(const StageView& stage);
// Vertex inputs or fragment outputs: location, component, index, type.
Facts outside_interface(const StageView& stage, varyings::Direction direction);
// "set 0 binding 3", "push constants", for the variables that the entry point's code uses, or for all
// of the module.
Facts resources(const StageView& stage, bool used_only);
// The same for resources that a pipeline layout gives to a stage.
Facts resources_given(const PipelineLayout& layout, Stage stage);
// "set 0 binding 3" for each array of descriptors from which the code chooses by an index that is not constant.
Facts indexed_descriptor_arrays(const StageView& stage);
// "set 0 binding 3 element 7", where constant indices choose elements behind the end of an array of descriptors.
Facts missing_descriptors(const StageView& stage);
// SpecId, type and default value of each constant that has a SpecId.
Facts specialization_constants(const StageView& stage);
// One fact per captured scalar: buffer, stride, offset, stream, type.
Facts captures(const StageView& stage);
// Built-ins in the interface list, members of blocks included.
Facts built_ins(const StageView& stage, varyings::Direction direction);
// Built-in outputs that the code of the entry point stores to.
Facts written_built_ins(const StageView& stage);
// Those of them that are certainly stored to: in code that runs on every path, before any branch.
Facts certainly_written_built_ins(const StageView& stage);
// Whether the entry point can end. Behind a loop that nothing leaves there is no code left in a result.
bool can_end(const StageView& stage);
// Global variables that the code of the entry point uses.
std::vector<spirv::Id> used_globals(const StageView& stage);

// The facts of `a`, less those of `b`; a fact that stands twice counts twice.
Facts missing_in(const Facts& a, const Facts& b);

}  // namespace varylink::link
