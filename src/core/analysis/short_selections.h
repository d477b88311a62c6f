// Branches that every compiler for GPUs makes selections of: both sides are short and do nothing but compute, and store
// outputs, which are values to it until the end of the stage. For the cost of a stage they are no branches, so that it
// is the same whether a shader, or a pass, wrote `OpSelect` or not.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/ir/cfg.h"
#include "spirv/ir/module.h"

namespace varylink::analysis {

// Blocks are named as in Cfg.
class ShortSelections {
 public:
  // The most that the operations of a side may cost together, in basic operations. Mesa's driver for AMD GPUs passes
  // the same number of instructions to `nir_opt_peephole_select`; other drivers pass more.
  static constexpr double kLongestSide = 8;

  ShortSelections(const spirv::Module& module, const spirv::Function& function, const spirv::Cfg& cfg);

  // Whether the block ends with such a branch.
  bool is_header(std::uint32_t block) const { return merge_[block] != spirv::Cfg::kNone; }
  // The block whose branch ends in front of this one; kNone if it does not merge such a branch.
  std::uint32_t header_of(std::uint32_t merge) const { return header_[merge]; }
  // The condition that decides between the values of the phis of this block; 0 if the block does not merge such a
  // branch.
  spirv::Id condition_at(std::uint32_t merge) const;
  // The block whose operations those of this block stand beside once there is no branch: that of the header for a
  // side, the block itself for all others.
  std::uint32_t home(std::uint32_t block) const { return home_[block]; }
  bool is_on_a_side(std::uint32_t block) const { return home_[block] != block; }

 private:
  double cost_of_side(std::uint32_t block, std::uint32_t from, std::uint32_t merge) const;
  double cost_of_block(std::uint32_t block) const;
  bool is_short(std::uint32_t header, std::uint32_t merge) const;
  void take(std::uint32_t header, std::uint32_t merge);

  const spirv::Module& module_;
  const spirv::Function& function_;
  const spirv::Cfg& cfg_;
  std::vector<std::uint32_t> merge_, header_, home_;  // by block
  std::vector<double> cost_;                          // of both sides, by header
};

}  // namespace varylink::analysis
