// Local structures and arrays into their members: what CleanUp::split_aggregates does, without SPIRV-Tools.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Each local variable of a structure or array type becomes one variable for each member or element that is used, and so
// on for those. Loads and stores of the whole become loads and stores of all parts. Stays: variables with another use,
// such as an index that is not constant, volatile accesses, arrays whose length is a specialization constant. A part is
// of relaxed precision if the variable or the member was.
//
// Returns false, and leaves the module as it was, if a variable would become more than 64 others, or the module has
// several functions. The module is is_plain() (spirv/tools/clean_up_work.h).
bool split_aggregates(Module& module);

}  // namespace varylink::spirv
