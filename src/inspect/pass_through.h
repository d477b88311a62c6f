// A stage made for another one whose real partner is not known.
#pragma once

#include "link/model/pipeline.h"

namespace varylink::inspect {

// For a fragment shader a vertex shader that gives each of its inputs a value nothing is known about, an attribute. For
// a stage that feeds fragment shaders (vertex, tessellation evaluation, geometry) a fragment shader that reads each of
// its outputs and writes it to a render target. The result is a valid module for `env` whose interface fits that of
// `stage`. Errors: invalid_spirv (does not read), usage (an entry point that is not there, a stage of another kind, an
// interface that cannot be split into scalars and vectors).
Result<link::StageInput> pass_through_neighbour(const link::StageInput& stage, spirv::TargetEnv env);

}  // namespace varylink::inspect
