// Blocks that are one.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Joins each block that ends in a plain branch with the block behind it if that has no other predecessor. Two merge
// blocks stay two, and so do a merge block and a continue target, two headers, and a case of a switch and the end of a
// construct.
void merge_blocks(Module& module);

}  // namespace varylink::spirv
