// Blocks that are one.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Joins each block that ends in a plain branch with the block behind it if that has no other predecessor. Two merge
// blocks stay two, and so do a merge block and a continue target, and two headers. Returns false, and leaves the module
// as it was, if a case of a switch would be joined with its end; that takes SPIRV-Tools. The module is is_plain()
// (spirv/tools/clean_up_work.h).
bool merge_blocks(Module& module);

}  // namespace varylink::spirv
