// Control flow graph of one function: successors, predecessors, dominators, loops. A snapshot, like Uses.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/ir/module.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {

class Cfg {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  explicit Cfg(const Module& module, const Function& function);

  // Blocks are named by their index into Function::blocks.
  std::size_t block_count() const { return successors_.size(); }
  std::uint32_t block_of(Id label) const;  // kNone if the label is not in this function
  const std::vector<std::uint32_t>& successors(std::uint32_t block) const { return successors_[block]; }
  const std::vector<std::uint32_t>& predecessors(std::uint32_t block) const { return predecessors_[block]; }
  bool reachable(std::uint32_t block) const { return order_[block] != kNone; }
  // Reachable blocks in reverse post-order.
  const std::vector<std::uint32_t>& reverse_post_order() const { return rpo_; }

  // Immediate dominator; kNone for the entry block and unreachable blocks.
  std::uint32_t immediate_dominator(std::uint32_t block) const { return idom_[block]; }
  bool dominates(std::uint32_t a, std::uint32_t b) const;
  // Whether the instruction at `first` has run whenever the one at `second` runs, both in this function. A place
  // outside of functions, such as a constant's, precedes everything but the first instruction.
  bool precedes(const Place& first, const Place& second) const;
  std::uint32_t common_dominator(std::uint32_t a, std::uint32_t b) const;
  // Reachable blocks in pre-order of the dominator tree: each block is followed by the blocks it dominates.
  const std::vector<std::uint32_t>& dominator_tree() const { return tree_; }

  // Number of structured loops around the block: loop headers (OpLoopMerge) and the blocks they dominate up to the
  // merge.
  std::uint32_t loop_depth(std::uint32_t block) const { return loop_depth_[block]; }

 private:
  void find_order();
  void find_dominators();
  void number_dominator_tree();
  void find_loops(const Module& module, const Function& function);

  std::vector<std::uint32_t> label_to_block_;
  std::vector<std::vector<std::uint32_t>> successors_, predecessors_;
  std::vector<std::uint32_t> rpo_, order_, idom_, loop_depth_;
  // The dominator tree in pre-order: [first_[block], end_[block]) are the blocks that `block` dominates.
  std::vector<std::uint32_t> tree_, first_, end_;
};

// OpReturn or OpReturnValue.
bool is_return(spv::Op op);
// A return, or the end of the invocation.
bool is_end(spv::Op op);

// The OpLoopMerge of a loop's header block; none of other blocks.
InstRef loop_merge(const Module& module, const Block& block);

// Loops of all functions.
std::size_t loop_count(const Module& module);

// The merge instruction of this header block; none of other blocks.
InstRef merge_instruction(const Module& module, const Block& block);

}  // namespace varylink::spirv
