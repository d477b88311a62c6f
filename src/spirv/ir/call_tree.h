// Which functions run when others do.
#pragma once

#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Result ids of `roots` and of the functions that they call, directly or through others, in the order in which the
// calls are found, each once. Functions that the module does not define are named, too. Ends for recursive modules.
std::vector<Id> call_tree(const Module& module, std::vector<Id> roots);

}  // namespace varylink::spirv
