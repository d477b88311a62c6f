// The part of a vertex shader that says where vertices are, so that it can be compared between shaders.
#pragma once

#include <string>

#include "link/model/pipeline.h"
#include "state/pipeline_state.h"

namespace varylink::share {

// The code of a vertex stage that computes built-in outputs (Position, PointSize, ClipDistance, CullDistance) or has
// effects on memory, with everything that only feeds its varyings taken out, as text that is equal for equal code
// (spirv/ir/canonical_code.h). Functions are inlined and local variables are values first.
// Words that `valid_words` knows are not validated again. Errors: invalid_spirv (does not read, does not validate),
// usage (no vertex stage, entry point).
Result<std::string> position_code(const link::StageInput& stage, const spirv::ValidatorOptions& validator,
                                  spirv::ValidWords* valid_words = nullptr);

// The state without the formats of vertex attributes that position_code() may read: the constants that stand for the
// components that a format lacks (rule) would change it. As it is if no format lacks any. Errors: as above.
Result<state::PipelineState> state_beside_positions(const link::StageInput& vertex, state::PipelineState state,
                                                    const spirv::ValidatorOptions& validator,
                                                    spirv::ValidWords* valid_words = nullptr);

}  // namespace varylink::share
