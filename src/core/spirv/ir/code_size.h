// How much code there is, whatever debug information stands between.
#pragma once

#include <algorithm>
#include <cstddef>

#include "spirv/ir/uses.h"

namespace varylink::spirv {

// Instructions of a block apart from its label and debug instructions.
inline std::size_t code_size(const Module& module, const Block& block) {
  return static_cast<std::size_t>(
      std::count_if(block.body.begin(), block.body.end(), [&](InstRef inst) { return !is_debug_inst(module, inst); }));
}

inline std::size_t code_size(const Module& module) {
  std::size_t size = 0;
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks) size += code_size(module, block);
  return size;
}

}  // namespace varylink::spirv
