// Which functions run when others do.
#pragma once

#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Result ids of `roots` and of the functions that they call, directly or through others, in the order in which the
// calls are found, each once. Functions that the module does not define are named, too. Ends for recursive modules.
std::vector<Id> call_tree(const Module& module, std::vector<Id> roots);

// The first blocks of `root` and of the functions that these blocks call: what runs whatever the branches decide. Each
// once. Ends for recursive modules.
std::vector<const Block*> certain_blocks(const Module& module, Id root);

// The blocks of `root` that stand under no condition and in no loop, and those of the functions that these call: what
// runs unless the function is left before. Each once. Ends for recursive modules.
std::vector<const Block*> unconditional_blocks(const Module& module, Id root);

}  // namespace varylink::spirv
