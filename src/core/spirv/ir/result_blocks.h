// Which block of a function computes a value.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/ir/cfg.h"

namespace varylink::spirv {

// By id: the index of the block that has the instruction with this result; Cfg::kNone for ids that are no results of
// the function. A snapshot, like Cfg.
inline std::vector<std::uint32_t> blocks_of_results(const Module& module, const Function& function) {
  std::vector<std::uint32_t> blocks(module.bound, Cfg::kNone);
  for (std::uint32_t block = 0; block < function.blocks.size(); ++block)
    for (const InstRef inst : function.blocks[block].body)
      if (module[inst].result != 0) blocks[module[inst].result] = block;
  return blocks;
}

}  // namespace varylink::spirv
