#include <algorithm>
#include <optional>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

using spv::Op;

class BlockMerger {
 public:
  BlockMerger(Module& module, Function& function)
      : module_(module),
        function_(function),
        cfg_(module, function),
        is_merge_(function.blocks.size(), false),
        is_continue_(function.blocks.size(), false),
        is_case_(function.blocks.size(), false),
        is_gone_(function.blocks.size(), false) {
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body) find_targets(inst);
  }

  // Fills `replaced_by` with what labels and phis became.
  bool run(std::vector<Id>& replaced_by) {
    bool changed = false;
    for (std::uint32_t block = 0; block < function_.blocks.size(); ++block) {
      if (is_gone_[block]) continue;
      for (std::uint32_t next; (next = only_way_out(block)) != Cfg::kNone && may_join(block, next);) {
        join(block, next, replaced_by);
        changed = true;
      }
    }
    if (!changed) return false;
    std::vector<Block> kept;
    for (std::uint32_t block = 0; block < function_.blocks.size(); ++block)
      if (!is_gone_[block]) kept.push_back(std::move(function_.blocks[block]));
    function_.blocks = std::move(kept);
    return true;
  }

 private:
  void find_targets(InstRef inst) {
    const Op op = module_[inst].op;
    const auto note = [&](std::vector<bool>& list, std::uint32_t position) {
      const std::uint32_t target = cfg_.block_of(module_.operand(inst, position).word);
      if (target != Cfg::kNone) list[target] = true;
    };
    if (op == Op::OpSelectionMerge || op == Op::OpLoopMerge) note(is_merge_, 0);
    if (op == Op::OpLoopMerge) note(is_continue_, 1);
    if (op != Op::OpSwitch) return;
    for (std::uint32_t i = 1; i < module_.operands(inst).size(); ++i)
      if (module_.operand(inst, i).is_id) note(is_case_, i);
  }

  bool is_header(std::uint32_t block) const {
    return static_cast<bool>(merge_instruction(module_, function_.blocks[block]));
  }

  // The block behind this one if it follows nothing else; kNone if there is none.
  std::uint32_t only_way_out(std::uint32_t block) const {
    const auto& body = function_.blocks[block].body;
    if (!cfg_.reachable(block) || body.empty() || module_[body.back()].op != Op::OpBranch) return Cfg::kNone;
    const std::uint32_t next = cfg_.block_of(module_.operand(body.back(), 0).word);
    return next == Cfg::kNone || cfg_.predecessors(next).size() != 1 ? Cfg::kNone : next;
  }

  bool may_join(std::uint32_t block, std::uint32_t next) const {
    if (is_header(block)) return may_join_header(next);
    // A case stays one, with the switch around it: it is no end of another construct (SPIR-V 2.11).
    if (is_case_[block] && !is_merge_[block] && (is_merge_[next] || is_continue_[next])) return false;
    return !is_merge_[block] || (!is_merge_[next] && !is_continue_[next]);
  }

  // What stands behind the header of a loop becomes part of it, with the branch that it ends in (SPIR-V, OpLoopMerge).
  bool may_join_header(std::uint32_t next) const {
    const Op end = module_[function_.blocks[next].body.back()].op;
    return !is_merge_[next] && !is_continue_[next] && !is_header(next) &&
           (end == Op::OpBranch || end == Op::OpBranchConditional);
  }

  void join(std::uint32_t block, std::uint32_t next, std::vector<Id>& replaced_by) {
    Block &front = function_.blocks[block], &back = function_.blocks[next];
    const InstRef merge = loop_merge(module_, front);
    module_.kill(front.body.back());
    front.body.pop_back();
    if (merge) front.body.pop_back();
    for (const InstRef inst : back.body) {
      if (module_[inst].op != Op::OpPhi) {
        front.body.push_back(inst);
        continue;
      }
      replace_phi(inst, front, replaced_by);
    }
    if (merge) front.body.insert(front.body.end() - 1, merge);
    replaced_by[back.label] = front.label;
    for (const InstRef inst : back.head) module_.kill(inst);
    is_merge_[block] = is_merge_[block] || is_merge_[next];
    is_continue_[block] = is_continue_[block] || is_continue_[next];
    is_gone_[next] = true;
  }

  // A phi with one way in is its one operand.
  void replace_phi(InstRef phi, Block& front, std::vector<Id>& replaced_by) {
    const Id result = module_[phi].result;
    Id value = module_.operand(phi, 0).word;
    while (replaced_by[value] != 0) value = replaced_by[value];
    if (!decorations_) decorations_.emplace(module_);
    if (!decorations_->may_stand_for(value, result)) {
      module_.rewrite(phi, Op::OpCopyObject, {id(value)});
      front.body.push_back(phi);
      return;
    }
    decorations_->pass_on(module_, value, result);
    replaced_by[result] = value;
    module_.kill(phi);
  }

  Module& module_;
  Function& function_;
  Cfg cfg_;
  std::optional<ValueDecorations> decorations_;                   // once there is a phi
  std::vector<bool> is_merge_, is_continue_, is_case_, is_gone_;  // by block
};

}  // namespace

void merge_blocks(Module& module) {
  std::vector<Id> replaced_by(module.bound, 0);  // by id, 0 if it stays
  bool changed = false;
  for (Function& function : module.functions)
    if (function.blocks.size() > 1) changed = BlockMerger(module, function).run(replaced_by) || changed;
  if (!changed) return;
  const auto current = [&](Id value) {
    while (replaced_by[value] != 0) value = replaced_by[value];
    return value;
  };
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body) {
        const auto operands = module.operands(inst);
        for (std::uint32_t i = 0; i < operands.size(); ++i)
          if (operands[i].is_id && replaced_by[operands[i].word] != 0)
            module.set_operand(inst, i, id(current(operands[i].word)));
      }
}

}  // namespace varylink::spirv
