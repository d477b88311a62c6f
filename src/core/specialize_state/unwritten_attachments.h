// Fragment outputs that no attachment takes.
#pragma once

#include <vector>

#include "spirv/ir/module.h"
#include "state/pipeline_state.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::specialize_state {

// Stores 0, or nothing at all, to fragment outputs whose attachment takes nothing (rule ). Without
// `no_alpha_to_coverage` the alpha of location 0 stays, since it may decide which samples are covered. Outputs that the
// stage loads again stay. Whether something changed.
bool drop_unwritten_outputs(spirv::Module& module, const varyings::Entry& entry,
                            const std::vector<state::ColorAttachment>& attachments, bool no_alpha_to_coverage);

}  // namespace varylink::specialize_state
