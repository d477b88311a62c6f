// One return per function, so that functions can be inlined.
#pragma once

#include <cstddef>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Gives functions that return at several places one block that returns. What stood behind a selection that returned
// stands in that arm of it which goes on; where both may go on, in a selection by whether the function has returned.
// Values that returned are in a local variable. That is how drivers take such functions (rule ); a loop or switch
// around the function they take for one. Entry points stay as they are, since nothing calls them, and so do functions
// that ask not to be inlined.
//
// Some others stay as they were, too: those that return more than 64 times, return past a pointer that is used behind a
// loop or switch, or have a loop header where such a construct ends; and all where more than 64 functions are of this
// kind (rule ).
void merge_returns(Module& module);

// Blocks of the function that return from it.
std::size_t count_returns(const Module& module, const Function& function);

}  // namespace varylink::spirv
