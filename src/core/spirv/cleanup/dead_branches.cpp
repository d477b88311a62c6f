#include <algorithm>
#include <optional>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/constructs.h"
#include "spirv/ir/globals.h"

namespace varylink::spirv {
namespace {

using spv::Op;

class BranchDecider {
 public:
  BranchDecider(Module& module, Function& function)
      : module_(module), function_(function), decided_(function.blocks.size()) {}

  void run() {
    for (std::uint32_t block = 0; block < function_.blocks.size(); ++block) decide(block);
    cfg_.emplace(module_, function_);
    const Constructs constructs(module_, function_, *cfg_);
    constructs_ = &constructs;
    is_open_.assign(function_.blocks.size(), false);
    const auto& order = cfg_->reverse_post_order();
    for (auto block = order.rbegin(); block != order.rend(); ++block)
      if (may_open(*block)) open(*block);
  }

 private:
  // A branch as it was.
  struct Branch {
    Op op = Op::OpNop;
    std::vector<Operand> operands;
  };

  void decide(std::uint32_t block) {
    const Block& each = function_.blocks[block];
    const Id target = decided_target(module_, each);
    if (target == 0) return;
    const InstRef branch = each.body.back();
    const auto operands = module_.operands(branch);
    decided_[block] = {module_[branch].op, {operands.begin(), operands.end()}};
    module_.rewrite(branch, Op::OpBranch, {id(target)});
  }

  InstRef merge_at(std::uint32_t block) const { return merge_instruction(module_, function_.blocks[block]); }
  Op end_of(std::uint32_t block) const { return module_[function_.blocks[block].body.back()].op; }

  // A selection with one way, or a loop that does not go back.
  bool may_open(std::uint32_t block) const {
    const InstRef merge = merge_at(block);
    if (!merge) return false;
    if (module_[merge].op == Op::OpSelectionMerge) return end_of(block) == Op::OpBranch;
    const auto& before = cfg_->predecessors(block);
    return std::none_of(before.begin(), before.end(),
                        [&](std::uint32_t from) { return cfg_->reachable(from) && cfg_->dominates(block, from); });
  }

  // How the blocks that branch to the end of a construct stand to it.
  struct WaysOut {
    bool nested = false;               // some are in further constructs inside of it
    std::uint32_t first = Cfg::kNone;  // the first that has another way to go on inside of it
  };

  WaysOut ways_out(std::uint32_t header, std::uint32_t end) const {
    WaysOut ways;
    if (end == Cfg::kNone || !cfg_->reachable(end)) return ways;
    for (const std::uint32_t block : cfg_->predecessors(end)) {
      if (!cfg_->reachable(block)) continue;
      const bool is_header = block == header && end_of(block) != Op::OpBranch;
      if (block == header && !is_header) continue;
      ways.nested = ways.nested || (block != header && (is_construct(block) || innermost(block) != header));
      if (!goes_on(header, block, end)) continue;
      if (ways.first == Cfg::kNone || cfg_->dominates(block, ways.first)) ways.first = block;
    }
    return ways;
  }

  bool is_construct(std::uint32_t block) const { return merge_at(block) && !is_open_[block]; }

  std::uint32_t innermost(std::uint32_t block) const {
    std::uint32_t header = constructs_->around(block);
    while (header != Cfg::kNone && is_open_[header]) header = constructs_->around(header);
    return header;
  }

  bool goes_on(std::uint32_t header, std::uint32_t block, std::uint32_t end) const {
    const auto& next = cfg_->successors(block);
    return std::any_of(next.begin(), next.end(), [&](std::uint32_t target) {
      if (target == end) return false;
      std::uint32_t around = constructs_->around(target);
      while (around != Cfg::kNone && around != header) around = constructs_->around(around);
      return around == header && !ends_construct_around(header, target);
    });
  }

  // The target is the end or the continue target of a construct that the header is in.
  bool ends_construct_around(std::uint32_t header, std::uint32_t target) const {
    const Id label = function_.blocks[target].label;
    for (std::uint32_t outer = constructs_->around(header); outer != Cfg::kNone; outer = constructs_->around(outer)) {
      const auto operands = module_.operands(merge_at(outer));
      if (operands[0].word == label || (operands[1].is_id && operands[1].word == label)) return true;
    }
    return false;
  }

  void open(std::uint32_t header) {
    const InstRef merge = merge_at(header);
    const bool is_loop = module_[merge].op == Op::OpLoopMerge;
    const Id label = module_.operand(merge, 0).word;
    const WaysOut ways = ways_out(header, cfg_->block_of(label));
    if (is_loop && (ways.nested || !flows_on(header, cfg_->block_of(module_.operand(merge, 1).word))))
      return restore_way_back(header);
    if (ways.nested) return make_one_way_switch(header);
    if (ways.first == Cfg::kNone) {
      is_open_[header] = true;
      auto& body = function_.blocks[header].body;
      body.erase(body.end() - 2);
      return module_.kill(merge);
    }
    move_merge(header, ways.first, label);
  }

  // No `continue` leads to the continue target of a loop.
  bool flows_on(std::uint32_t header, std::uint32_t target) const {
    if (target == header) return true;
    const WaysOut ways = ways_out(header, target);
    return !ways.nested && ways.first == Cfg::kNone;
  }

  // A loop has a way back (SPIR-V 2.11), taken or not.
  void restore_way_back(std::uint32_t header) {
    for (std::uint32_t block = 0; block < function_.blocks.size(); ++block) {
      const Branch& branch = decided_[block];
      if (std::find(branch.operands.begin(), branch.operands.end(), id(function_.blocks[header].label)) !=
          branch.operands.end())
        module_.rewrite(function_.blocks[block].body.back(), branch.op, branch.operands);
    }
  }

  void make_one_way_switch(std::uint32_t header) {
    const InstRef branch = function_.blocks[header].body.back();
    const Branch& decided = decided_[header];
    const Id selector = decided.op == Op::OpSwitch ? decided.operands.front().word : Globals(module_).uint_constant(0);
    module_.rewrite(branch, Op::OpSwitch, {id(selector), module_.operand(branch, 0)});
  }

  void move_merge(std::uint32_t header, std::uint32_t to, Id label) {
    auto& from = function_.blocks[header].body;
    module_.kill(*(from.end() - 2));
    from.erase(from.end() - 2);
    auto& body = function_.blocks[to].body;
    body.insert(body.end() - 1, module_.create(Op::OpSelectionMerge, 0, 0, {id(label), lit(0)}));
  }

  Module& module_;
  Function& function_;
  std::vector<Branch> decided_;  // by block: what was decided there
  std::optional<Cfg> cfg_;       // with what is decided
  const Constructs* constructs_ = nullptr;
  std::vector<bool> is_open_;  // by header: it is none any more
};

}  // namespace

void remove_dead_branches(Module& module) {
  for (Function& function : module.functions)
    if (!function.blocks.empty()) BranchDecider(module, function).run();
  remove_unreachable_blocks(module);
}

}  // namespace varylink::spirv
