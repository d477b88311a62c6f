// Decorations that decide what an operation costs: how inputs are read, where varyings lie, what may be fused.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "spirv/ir/module.h"

namespace varylink::analysis {

struct CostDecorations {
  std::set<spirv::Id> not_interpolated;                                    // variables
  std::set<std::pair<spirv::Id, std::uint32_t>> members_not_interpolated;  // structure and member
  std::set<spirv::Id> buffer_blocks;                                       // structures that a shader may write
  std::set<spirv::Id> no_contraction;                                      // results that are not fused with others
  std::map<spirv::Id, std::uint32_t> locations, components;                // of variables

  explicit CostDecorations(const spirv::Module& module);
};

}  // namespace varylink::analysis
