#include <algorithm>
#include <optional>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/replaced_ids.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

using spv::Op;

class UnreachableBlocks {
 public:
  explicit UnreachableBlocks(Module& module) : module_(module) {}

  void run() {
    for (Function& function : module_.functions)
      if (function.blocks.size() > 1) run_in(function);
    if (!changed_) return;
    replaced_.apply(module_);
    module_.sweep();
  }

 private:
  void run_in(Function& function) {
    const Cfg cfg(module_, function);
    find_stubs(function, cfg);
    for (const std::uint32_t block : cfg.reverse_post_order()) update_phis(function, cfg, block);
    remove_blocks(function, cfg);
    restore_order(function);
  }

  // What headers name although nothing reaches it.
  void find_stubs(const Function& function, const Cfg& cfg) {
    is_end_.assign(function.blocks.size(), false);
    back_to_.assign(function.blocks.size(), Cfg::kNone);
    stub_of_.assign(function.blocks.size(), Cfg::kNone);
    for (const std::uint32_t header : cfg.reverse_post_order()) {
      const InstRef merge = merge_instruction(module_, function.blocks[header]);
      if (!merge) continue;
      const std::uint32_t end = cfg.block_of(module_.operand(merge, 0).word);
      if (end != Cfg::kNone && !cfg.reachable(end)) is_end_[end] = true;
      if (module_[merge].op != Op::OpLoopMerge) continue;
      const std::uint32_t target = cfg.block_of(module_.operand(merge, 1).word);
      if (target == Cfg::kNone || cfg.reachable(target)) continue;
      back_to_[target] = header;
      stub_of_[header] = target;
    }
  }

  void update_phis(Function& function, const Cfg& cfg, std::uint32_t block) {
    const auto& before = cfg.predecessors(block);
    for (const InstRef phi : function.blocks[block].body) {
      if (module_[phi].op != Op::OpPhi) continue;
      const auto operands = module_.operands(phi);
      std::vector<Operand> kept;
      for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
        const std::uint32_t from = cfg.block_of(operands[i + 1].word);
        const bool runs =
            from != Cfg::kNone && cfg.reachable(from) && std::find(before.begin(), before.end(), from) != before.end();
        if (runs) kept.insert(kept.end(), {operands[i], operands[i + 1]});
      }
      if (kept.size() == 2) {
        replace_phi(phi, kept[0].word);
        continue;
      }
      if (const std::uint32_t stub = stub_of_[block]; stub != Cfg::kNone)
        kept.insert(kept.end(), {id(undefined(module_[phi].type)), id(function.blocks[stub].label)});
      if (std::equal(kept.begin(), kept.end(), operands.begin(), operands.end())) continue;
      module_.rewrite(phi, Op::OpPhi, kept);
      changed_ = true;
    }
    put_phis_first(module_, function.blocks[block].body);
  }

  Id undefined(Id type) {
    if (!globals_) globals_.emplace(module_);
    return globals_->undef(type);
  }

  void replace_phi(InstRef phi, Id value) {
    const Id result = module_[phi].result;
    if (!decorations_) decorations_.emplace(module_);
    value = replaced_.current(value);
    changed_ = true;
    if (!decorations_->may_stand_for(value, result)) return module_.rewrite(phi, Op::OpCopyObject, {id(value)});
    decorations_->pass_on(module_, value, result);
    replaced_.replace(result, value, module_);
    module_.kill(phi);
  }

  void remove_blocks(Function& function, const Cfg& cfg) {
    std::vector<Block> kept;
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
      Block& each = function.blocks[block];
      if (cfg.reachable(block)) {
        kept.push_back(std::move(each));
      } else if (back_to_[block] != Cfg::kNone) {
        reduce(each, Op::OpBranch, {id(function.blocks[back_to_[block]].label)});
        kept.push_back(std::move(each));
      } else if (is_end_[block]) {
        reduce(each, Op::OpUnreachable, {});
        kept.push_back(std::move(each));
      } else {
        for (const auto* list : {&each.head, &each.body})
          for (const InstRef inst : *list) module_.kill(inst);
        changed_ = true;
      }
    }
    function.blocks = std::move(kept);
  }

  void reduce(Block& block, Op op, std::initializer_list<Operand> operands) {
    const InstRef end = block.body.back();
    const auto present = module_.operands(end);
    if (block.body.size() == 1 && module_[end].op == op &&
        std::equal(present.begin(), present.end(), operands.begin(), operands.end()))
      return;
    for (const InstRef inst : block.body) module_.kill(inst);
    block.body = {module_.create(op, 0, 0, operands)};
    changed_ = true;
  }

  void restore_order(Function& function) {
    const Cfg cfg(module_, function);
    std::vector<std::uint32_t> order;
    std::vector<bool> is_placed(function.blocks.size(), false);
    bool in_order = true;
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
      const std::size_t placed = order.size();
      for (std::uint32_t next = block; next != Cfg::kNone && !is_placed[next]; next = cfg.immediate_dominator(next)) {
        is_placed[next] = true;
        order.push_back(next);
      }
      in_order = in_order && order.size() <= placed + 1;
      std::reverse(order.begin() + static_cast<std::ptrdiff_t>(placed), order.end());
    }
    if (in_order) return;
    std::vector<Block> blocks;
    for (const std::uint32_t block : order) blocks.push_back(std::move(function.blocks[block]));
    function.blocks = std::move(blocks);
    changed_ = true;
  }

  Module& module_;
  std::optional<Globals> globals_;
  std::optional<ValueDecorations> decorations_;
  ReplacedIds replaced_;  // phis by values
  bool changed_ = false;

  // Of the function at hand.
  std::vector<bool> is_end_;            // by block that nothing reaches: some header ends there
  std::vector<std::uint32_t> back_to_;  // by block that nothing reaches: the header that it continues, or kNone
  std::vector<std::uint32_t> stub_of_;  // by header: its continue target, if nothing reaches that
};

}  // namespace

void remove_unreachable_blocks(Module& module) { UnreachableBlocks(module).run(); }

}  // namespace varylink::spirv
