// Promises of the application about a pipeline's state, written into the code of its stages: afterwards the stages do
// the same as before in every pipeline with that state. Consequences that hold for these pipelines only are visible in
// the code then, for everything that reads it.
#pragma once

#include "base/result.h"
#include "spirv/ir/module.h"
#include "state/pipeline_state.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::specialize_state {

// Rewrites the code of `entry` and returns the part of `state` that it used. Declarations stay: variables, bindings,
// built-ins and the list of the entry point; only the qualifiers Centroid and Sample go.
state::PipelineState apply_state(spirv::Module& module, const varyings::Entry& entry,
                                 const state::PipelineState& state);

// Where the state and the stage contradict each other: errors with location and VUID. `pipeline_tessellates`: it has
// tessellation stages.
Diagnostics contradictions(const spirv::Module& module, const varyings::Entry& entry, const FileRef& file,
                           const state::PipelineState& state, bool pipeline_tessellates);

}  // namespace varylink::specialize_state
