// A stage made for another one whose real partner is not known.
#pragma once

#include <vector>

#include "link/model/pipeline.h"
#include "varyings/reflect/slot.h"

namespace varylink::driver {

// The sides on which a stage meets others by varyings: inputs first. None for task stages, whose payload is memory.
std::vector<varyings::Direction> sides_of(Stage stage);

// For inputs a producer that gives each of them a value nothing is known about: a control shader in front of evaluation
// shaders, else a vertex shader, which has it from an attribute. For outputs a consumer that reads each of them, at a
// vertex nothing is known about, and passes it on: an evaluation shader behind control shaders, else a fragment shader.
// `reads_all`: false for a consumer that reads nothing. `side` is one of sides_of().
// The result is a valid module for `env` whose interface fits that of `stage`. Errors: invalid_spirv (does not read),
// usage (an entry point that is not there, an interface that cannot be split into scalars and vectors).
Result<link::StageInput> pass_through_neighbour(const link::StageInput& stage, varyings::Direction side,
                                                spirv::TargetEnv env, bool reads_all = true);

}  // namespace varylink::driver
