// Local variables that need no phi: the most common part of what CleanUp::promote_locals does, before SPIRV-Tools has
// to build its tables for all these loads and stores.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Of local variables that are only loaded and stored as a whole: a load becomes the value that the last store of its
// block left, or that of the only store there is if this dominates the load, or undefined if nothing was stored before.
// Variables that nobody loads any more go, with their stores. The module has no debug instructions
// (spirv/tools/clean_up_work.h).
void promote_plain_locals(Module& module);

}  // namespace varylink::spirv
