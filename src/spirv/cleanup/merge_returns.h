// One return per function: what CleanUp::merge_returns does, without SPIRV-Tools.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Gives every function that returns at several places one block that returns, behind a switch without cases around the
// rest: what returned branches to the end of that switch, with the value in a phi (SPIR-V 2.11.2: a branch may leave
// selections for the merge block of the switch around them). Entry points stay as they are; nothing calls them.
//
// Returns false, and leaves the module as it was, if a function returns from within a loop or another switch.
bool merge_returns(Module& module);

}  // namespace varylink::spirv
