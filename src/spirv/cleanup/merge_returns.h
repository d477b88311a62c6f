// One return per function: what CleanUp::merge_returns does, without SPIRV-Tools.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Gives every function that returns at several places one block that returns. What stood behind a selection that
// returned stands in that arm of it which goes on; where both may go on, in a selection by whether the function has
// returned. Values that returned are in a local variable. That is how drivers take such functions (rule ); a loop
// or switch around the function, as SPIRV-Tools make it, they take for one. Entry points stay as they are; nothing
// calls them.
//
// Returns false if that is left to SPIRV-Tools for some functions, which stay as they were: those that return from
// within a loop or a switch, have other unreachable blocks than ends of selections, or nest too deep.
bool merge_returns(Module& module);

}  // namespace varylink::spirv
