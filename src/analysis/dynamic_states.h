// Names of the states that a pipeline may leave to the command buffer.
#pragma once

#include <string>
#include <vector>

namespace varylink::analysis {

// VkDynamicState without prefix; those that became core without suffix. PipelineState::dynamic_states has no others.
const std::vector<std::string>& dynamic_state_names();

}  // namespace varylink::analysis
