#include "spirv/ir/cfg.h"

#include <algorithm>

#include "spirv/ir/operations.h"

namespace varylink::spirv {
namespace {

// Label operands of a terminator, in order, each once.
std::vector<Id> branch_targets(const Module& module, InstRef terminator) {
  const auto operands = module.operands(terminator);
  std::vector<Id> labels;
  const auto add = [&](Id label) {
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  };
  switch (module[terminator].op) {
    case spv::Op::OpBranch: add(operands[0].word); break;
    case spv::Op::OpBranchConditional:
      add(operands[1].word);
      add(operands[2].word);
      break;
    case spv::Op::OpSwitch:
      for (std::size_t i = 1; i < operands.size(); ++i)
        if (operands[i].is_id) add(operands[i].word);
      break;
    default: break;
  }
  return labels;
}

}  // namespace

Cfg::Cfg(const Module& module, const Function& function) {
  const std::uint32_t count = static_cast<std::uint32_t>(function.blocks.size());
  label_to_block_.assign(module.bound, kNone);
  for (std::uint32_t block = 0; block < count; ++block) label_to_block_[function.blocks[block].label] = block;
  successors_.resize(count);
  predecessors_.resize(count);
  for (std::uint32_t block = 0; block < count; ++block) {
    if (function.blocks[block].body.empty()) continue;
    for (const Id label : branch_targets(module, function.blocks[block].body.back())) {
      const std::uint32_t target = block_of(label);
      if (target == kNone) continue;
      successors_[block].push_back(target);
      predecessors_[target].push_back(block);
    }
  }
  find_order();
  find_dominators();
  number_dominator_tree();
  find_loops(module, function);
}

std::uint32_t Cfg::block_of(Id label) const { return label < label_to_block_.size() ? label_to_block_[label] : kNone; }

void Cfg::find_order() {
  const std::size_t count = successors_.size();
  order_.assign(count, kNone);
  if (count == 0) return;
  std::vector<bool> seen(count, false);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack = {{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    const std::uint32_t block = stack.back().first;
    if (stack.back().second < successors_[block].size()) {
      const std::uint32_t next = successors_[block][stack.back().second++];
      if (!seen[next]) {
        seen[next] = true;
        stack.push_back({next, 0});
      }
    } else {
      rpo_.push_back(block);
      stack.pop_back();
    }
  }
  std::reverse(rpo_.begin(), rpo_.end());
  for (std::uint32_t i = 0; i < rpo_.size(); ++i) order_[rpo_[i]] = i;
}

// Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm".
void Cfg::find_dominators() {
  idom_.assign(successors_.size(), kNone);
  if (rpo_.empty()) return;
  idom_[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t block : rpo_) {
      if (block == 0) continue;
      std::uint32_t best = kNone;
      for (const std::uint32_t predecessor : predecessors_[block]) {
        if (idom_[predecessor] == kNone) continue;
        best = best == kNone ? predecessor : common_dominator(best, predecessor);
      }
      if (idom_[block] != best) {
        idom_[block] = best;
        changed = true;
      }
    }
  }
  idom_[0] = kNone;
}

void Cfg::number_dominator_tree() {
  first_.assign(successors_.size(), 0);
  end_.assign(successors_.size(), 0);
  tree_.assign(rpo_.size(), 0);
  std::vector<std::uint32_t> size(successors_.size(), 1), next(successors_.size(), 0);
  for (auto block = rpo_.rbegin(); block != rpo_.rend(); ++block)
    if (idom_[*block] != kNone) size[idom_[*block]] += size[*block];
  for (const std::uint32_t block : rpo_) {
    const std::uint32_t above = idom_[block];
    if (above != kNone) {
      first_[block] = next[above];
      next[above] += size[block];
    }
    next[block] = first_[block] + 1;
    end_[block] = first_[block] + size[block];
    tree_[first_[block]] = block;
  }
}

std::uint32_t Cfg::common_dominator(std::uint32_t a, std::uint32_t b) const {
  while (a != b) {
    while (order_[a] > order_[b]) a = idom_[a];
    while (order_[b] > order_[a]) b = idom_[b];
  }
  return a;
}

bool Cfg::dominates(std::uint32_t a, std::uint32_t b) const {
  if (!reachable(a) || !reachable(b)) return a == b;
  return first_[a] <= first_[b] && first_[b] < end_[a];
}

bool Cfg::precedes(const Place& first, const Place& second) const {
  return first.block == second.block ? first.index < second.index : dominates(first.block, second.block);
}

void Cfg::find_loops(const Module& module, const Function& function) {
  loop_depth_.assign(successors_.size(), 0);
  for (std::uint32_t header = 0; header < function.blocks.size(); ++header) {
    if (!reachable(header)) continue;
    const InstRef inst = loop_merge(module, function.blocks[header]);
    const std::uint32_t merge = inst ? block_of(module.operand(inst, 0).word) : kNone;
    if (merge == kNone) continue;
    for (std::uint32_t i = first_[header]; i < end_[header]; ++i)
      if (!reachable(merge) || !dominates(merge, tree_[i])) ++loop_depth_[tree_[i]];
  }
}

bool is_return(spv::Op op) { return op == spv::Op::OpReturn || op == spv::Op::OpReturnValue; }
bool is_end(spv::Op op) { return is_return(op) || row_of(op).is(kEndsInvocation); }

InstRef loop_merge(const Module& module, const Block& block) {
  const InstRef merge = merge_instruction(module, block);
  return merge && module[merge].op == spv::Op::OpLoopMerge ? merge : InstRef{};
}

std::size_t loop_count(const Module& module) {
  std::size_t count = 0;
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks) count += loop_merge(module, block) ? 1 : 0;
  return count;
}

InstRef merge_instruction(const Module& module, const Block& block) {
  if (block.body.size() < 2) return {};
  const InstRef inst = block.body[block.body.size() - 2];
  const spv::Op op = module[inst].op;
  return op == spv::Op::OpLoopMerge || op == spv::Op::OpSelectionMerge ? inst : InstRef{};
}

}  // namespace varylink::spirv
