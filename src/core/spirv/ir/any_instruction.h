// Whether some instruction in the blocks of a module, of all functions, is of a kind.
#pragma once

#include <algorithm>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// `is_found`: bool(InstRef). Stops at the first one.
template <typename IsFound>
bool any_instruction(const Module& module, IsFound is_found) {
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const Function& function) {
    return std::any_of(function.blocks.begin(), function.blocks.end(),
                       [&](const Block& block) { return std::any_of(block.body.begin(), block.body.end(), is_found); });
  });
}

}  // namespace varylink::spirv
