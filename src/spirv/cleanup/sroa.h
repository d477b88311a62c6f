// Local structures and arrays into their members.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Each local variable of a structure or array type becomes one variable for each member or element that is used, and so
// on for those. Loads and stores of the whole become loads and stores of all parts. Stays: variables with another use,
// such as an index that is not constant, volatile accesses, arrays whose length is a specialization constant, large
// arrays with many accesses to the whole. A part is of relaxed precision if the variable or the member was.
void sroa(Module& module);

}  // namespace varylink::spirv
