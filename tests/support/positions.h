// LinkedPipeline::keeps_positions held against the comparison of all code.
#pragma once

#include "link/model/pipeline.h"

namespace varylink::test {

// The vertex stage of `linked` computes positions by other code than that of `pipeline` (share/position_code.h).
// False where code for varyings is part of what is compared, such as loops that store to them.
bool has_moved_positions(const link::PipelineInput& pipeline, const link::LinkedPipeline& linked,
                         const spirv::ValidatorOptions& validator);

}  // namespace varylink::test
