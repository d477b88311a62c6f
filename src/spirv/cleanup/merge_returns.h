// One return per function, so that functions can be inlined.
#pragma once

#include <cstddef>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Gives functions that return at several places one block that returns. Code behind a selection that returned moves
// into the arm that goes on; where both may go on, into a selection by whether the function has returned. Returned
// values are in a local variable. Drivers rewrite such functions in the same way (rule ); a loop or switch around
// the function would be a real one to them. Entry points stay as they are, since nothing calls them, and so do
// functions that ask not to be inlined.
//
// Some others stay as they were, too: those that return more than 64 times, return past a pointer that is used behind a
// loop or switch, or have a loop header where such a construct ends; and all where more than 64 functions are of this
// kind (rule ).
void merge_returns(Module& module);

// Blocks of the function that return from it.
std::size_t count_returns(const Module& module, const Function& function);

}  // namespace varylink::spirv
