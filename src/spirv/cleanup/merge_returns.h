// One return per function: what CleanUp::merge_returns does, without SPIRV-Tools.
#pragma once

#include <cstddef>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Gives every function that returns at several places one block that returns. What stood behind a selection that
// returned stands in that arm of it which goes on; where both may go on, in a selection by whether the function has
// returned. Values that returned are in a local variable. That is how drivers take such functions (rule ); a loop
// or switch around the function, as SPIRV-Tools make it, they take for one. Entry points stay as they are, since
// nothing calls them, and so do functions that ask not to be inlined.
//
// Returns false if that is left to SPIRV-Tools for some functions, which stay as they were: those that return past what
// is used behind a loop or switch, have other unreachable blocks than ends of constructs, or nest too deep.
bool merge_returns(Module& module);

// Blocks of the function that return from it.
std::size_t count_returns(const Module& module, const Function& function);

}  // namespace varylink::spirv
