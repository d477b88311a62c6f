// Names of the states that a pipeline may leave to the command buffer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace varylink::state {

// VkDynamicState without prefix; those that became core without suffix. PipelineState::dynamic_states has no others.
const std::vector<std::string>& dynamic_state_names();

// Whether a setting of that state may take the only sample of a pixel off its centre, or make fragments of several
// pixels (rule ).
bool moves_samples(std::string_view state);

}  // namespace varylink::state
