// Branches that make no difference.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Takes one way where a conditional branch decides between two that store the same values to the same places and then
// go on at the same place, or both return. The condition has no use then: a result that everything overwrites keeps an
// input alive otherwise. Unreachable blocks may be left. Returns whether something changed.
bool merge_equal_arms(Module& module);

}  // namespace varylink::spirv
