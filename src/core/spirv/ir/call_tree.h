// Calls between functions.
#pragma once

#include <vector>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Result ids of `roots` and of the functions that they call, directly or through others, in the order in which the
// calls are found, each once. Functions that the module does not define are named, too. Ends for recursive modules.
std::vector<Id> call_tree(const Module& module, std::vector<Id> roots);

// Removes functions that no entry point calls, directly or through others.
void remove_uncalled_functions(Module& module);

// The blocks that run whatever branches decide: the first blocks of `root` and of the functions that these call. Each
// once. Ends for recursive modules.
std::vector<const Block*> certain_blocks(const Module& module, Id root);

// The blocks that run unless the function is left before: those of `root` under no condition and in no loop, and those
// of the functions that these call. Each once. Ends for recursive modules.
std::vector<const Block*> unconditional_blocks(const Module& module, Id root);

}  // namespace varylink::spirv
