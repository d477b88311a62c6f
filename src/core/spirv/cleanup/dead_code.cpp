#include <algorithm>
#include <vector>

#include "base/seeded_fault.h"
#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/call_tree.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/constructs.h"
#include "spirv/ir/debug_records.h"
#include "spirv/ir/foreign.h"
#include "spirv/ir/memory_operands.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// One function, of which every block is reachable but the stubs of remove_unreachable_blocks().
struct Code {
  Code(const Module& module, const Function& of)
      : function(of), cfg(module, of), constructs(module, of, cfg), is_spread(of.blocks.size(), false) {}

  const Function& function;
  Cfg cfg;
  Constructs constructs;
  std::vector<bool> is_spread;  // by block: the control flow around its code is live
};

// Where an instruction stands.
struct Spot {
  std::uint32_t code = Cfg::kNone;  // place in Liveness::codes_, kNone outside of blocks
  std::uint32_t block = 0;
};

// What has to stay: a closure over operands, stores and the control flow around what stays.
class Liveness {
 public:
  explicit Liveness(const Module& module)
      : module_(module), live_(module.inst_count(), false), spots_(module.inst_count()) {
    codes_.reserve(module.functions.size());
    for (const Function& function : module.functions) {
      if (function.blocks.empty()) continue;
      const auto code = static_cast<std::uint32_t>(codes_.size());
      codes_.emplace_back(module, function);
      for (std::uint32_t block = 0; block < function.blocks.size(); ++block)
        for (const auto* list : {&function.blocks[block].head, &function.blocks[block].body})
          for (const InstRef inst : *list) spots_[inst.index] = {code, block};
    }
    find_stores();
  }

  void run(std::span<const Id> kept_globals) {
    for (const Id kept : kept_globals) mark_id(kept);
    mark_global_roots();
    for (const Code& code : codes_) mark_roots(code);
    spread();
    mark_debug();
  }

  bool is_live(InstRef inst) const { return live_[inst.index]; }

 private:
  void mark_roots(const Code& code) {
    for (const InstRef inst : code.function.head) mark(inst);
    mark(code.function.blocks.front().head.back());
    for (const Block& block : code.function.blocks)
      for (const InstRef inst : block.body)
        if (has_effect(inst)) mark(inst);
    // Whatever has no end that is reached goes on for ever, or leaves the function.
    for (const std::uint32_t header : code.cfg.reverse_post_order()) {
      const InstRef merge = merge_instruction(module_, code.function.blocks[header]);
      if (!merge) continue;
      const std::uint32_t end = code.cfg.block_of(module_.operand(merge, 0).word);
      if (end == Cfg::kNone || !code.cfg.reachable(end)) mark_branch(code, header);
    }
  }

  // The local variable that a pointer leads to, or the private one if there are no calls; none for other memory.
  InstRef local_of(Id pointer) const {
    const InstRef def = module_.def(root_of(module_, pointer));
    if (!def || module_[def].op != Op::OpVariable) return {};
    const auto storage = static_cast<spv::StorageClass>(module_.operand(def, 0).word);
    const bool is_own = storage == spv::StorageClass::Function ||
                        (storage == spv::StorageClass::Private && module_.functions.size() == 1);
    return is_own ? def : InstRef{};
  }

  void find_stores() {
    stores_.resize(module_.bound);
    for (const Code& code : codes_)
      for (const Block& block : code.function.blocks)
        for (const InstRef inst : block.body)
          if (is_plain_store(module_, inst))
            if (const InstRef variable = local_of(module_.operand(inst, 0).word))
              stores_[module_[variable].result].push_back(inst);
  }

  // Debug instructions stay if what they describe does, and keep what only they use: their constants and types.
  void mark_debug() {
    const auto describes_live = [&](InstRef inst) {
      const auto operands = module_.operands(inst);
      return std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
        const InstRef def = operand.is_id ? module_.def(operand.word) : InstRef{};
        const bool is_code = def && (spots_[def.index].code != Cfg::kNone || module_[def].op == Op::OpVariable);
        return !is_code || is_live(def);
      });
    };
    const auto visit = [&](InstRef inst) {
      if (!is_debug_inst(module_, inst) || !describes_live(inst)) return;
      live_[inst.index] = true;
      if (module_[inst].type != 0) mark_id(module_[inst].type);
      for (const Operand& operand : module_.operands(inst))
        if (operand.is_id) mark_id(operand.word);
    };
    for (const InstRef inst : module_.types) visit(inst);
    for (const Code& code : codes_)
      for (const Block& block : code.function.blocks)
        for (const InstRef inst : block.body) visit(inst);
    spread();
  }

  // Returns and discards have, branches have none by themselves.
  bool has_effect(InstRef inst) const {
    const Op op = module_[inst].op;
    if (op == Op::OpStore) return !is_plain_store(module_, inst) || !local_of(module_.operand(inst, 0).word);
    return !row_of(op).is(kInert) && !is_removable(module_, inst) && !is_debug_inst(module_, inst);
  }

  void mark_global_roots() {
    for (const auto* section : {&module_.execution_modes, &module_.entry_points})
      for (const InstRef inst : *section) mark(inst);
    for (const InstRef inst : module_.annotations) {
      if (is_foreign(module_[inst].op)) mark_operands(inst);
      if (module_[inst].op == Op::OpDecorateId)
        for (const Operand& operand : module_.operands(inst).subspan(2)) mark_id(operand.word);
      if (module_[inst].op != Op::OpDecorate) continue;
      switch (static_cast<spv::Decoration>(module_.operand(inst, 1).word)) {
        case spv::Decoration::DescriptorSet:
        case spv::Decoration::Binding:
        case spv::Decoration::SpecId: mark_id(module_.operand(inst, 0).word); break;
        case spv::Decoration::BuiltIn:
          if (module_.operand(inst, 2).word == static_cast<std::uint32_t>(spv::BuiltIn::WorkgroupSize))
            mark_id(module_.operand(inst, 0).word);
          break;
        default: break;
      }
    }
  }

  void mark(InstRef inst) {
    if (!inst || live_[inst.index]) return;
    live_[inst.index] = true;
    work_.push_back(inst);
  }
  void mark_id(Id id) { mark(module_.def(id)); }
  void mark_operands(InstRef inst) {
    for (const Operand& operand : module_.operands(inst))
      if (operand.is_id) mark_id(operand.word);
  }

  void spread() {
    while (!work_.empty()) {
      const InstRef inst = work_.back();
      work_.pop_back();
      if (module_[inst].type != 0) mark_id(module_[inst].type);
      need_operands(inst);
      if (const Spot& spot = spots_[inst.index]; spot.code != Cfg::kNone)
        spread_to_block(inst, codes_[spot.code], spot.block);
    }
  }

  // Whoever is not a store into a variable, and not on the way to it, may read it.
  void need_operands(InstRef user) {
    const bool may_read = !is_pointer_path(module_[user].op) && spots_[user.index].code != Cfg::kNone;
    const Id target = may_read && is_plain_store(module_, user) ? module_.operand(user, 0).word : 0;
    for (const Operand& operand : module_.operands(user)) {
      if (!operand.is_id) continue;
      mark_id(operand.word);
      if (!may_read || operand.word == target) continue;
      if (const InstRef variable = local_of(operand.word))
        for (const InstRef store : stores_[module_[variable].result]) mark(store);
    }
  }

  void spread_to_block(InstRef inst, Code& code, std::uint32_t block) {
    const Op op = module_[inst].op;
    if (code.is_spread[block] && op != Op::OpSelectionMerge && op != Op::OpLoopMerge) return;
    if (!code.cfg.reachable(block)) return;
    code.is_spread[block] = op != Op::OpLabel;
    const Block& own = code.function.blocks[block];
    const InstRef merge = merge_instruction(module_, own);
    mark(own.head.back());
    if (merge)
      mark_id(module_.operand(merge, 0).word);
    else
      mark(own.body.back());
    // Whatever is in the header of a loop is part of the loop.
    if (merge && module_[merge].op == Op::OpLoopMerge && op != Op::OpLabel) mark_branch(code, block);
    if (const std::uint32_t around = code.constructs.around(block); around != Cfg::kNone) mark_branch(code, around);
    if (inst == merge) mark_ways_out(code, block);
  }

  void mark_branch(const Code& code, std::uint32_t block) {
    if (const InstRef merge = merge_instruction(module_, code.function.blocks[block])) mark(merge);
    mark(code.function.blocks[block].body.back());
  }

  // Of a construct that stays, breaks and continues stay, with the selections around them.
  void mark_ways_out(const Code& code, std::uint32_t header) {
    const InstRef merge = merge_instruction(module_, code.function.blocks[header]);
    for (std::uint32_t i = 0; i < (module_[merge].op == Op::OpLoopMerge ? 2u : 1u); ++i) {
      const std::uint32_t target = code.cfg.block_of(module_.operand(merge, i).word);
      if (target == Cfg::kNone) continue;
      for (const std::uint32_t block : code.cfg.predecessors(target))
        if (code.cfg.reachable(block) && is_way_out(code, block, header, target)) mark_branch(code, block);
    }
  }

  // A selection that ends at the target gets there whether it stays or not.
  bool is_way_out(const Code& code, std::uint32_t block, std::uint32_t header, std::uint32_t target) const {
    const auto ends_there = [&](std::uint32_t other) {
      const InstRef merge = merge_instruction(module_, code.function.blocks[other]);
      return module_[merge].op == Op::OpSelectionMerge && code.cfg.block_of(module_.operand(merge, 0).word) == target;
    };
    if (block != header && merge_instruction(module_, code.function.blocks[block]) && ends_there(block)) return false;
    const std::uint32_t around = code.constructs.around(block);
    return around != Cfg::kNone && (around == header || !ends_there(around));
  }

  const Module& module_;
  std::vector<Code> codes_;
  std::vector<bool> live_;                    // by InstRef::index
  std::vector<Spot> spots_;                   // by InstRef::index
  std::vector<std::vector<InstRef>> stores_;  // by id of a variable
  std::vector<InstRef> work_;
};

// Where a selection or loop need not stay, its header goes on to where it ended.
bool bridge(Module& module, Block& block, const Liveness& liveness) {
  const InstRef merge = merge_instruction(module, block), branch = block.body.back();
  if (liveness.is_live(branch)) return false;
  if (merge) module.rewrite(branch, Op::OpBranch, {module.operand(merge, 0)});
  return true;
}

}  // namespace

void remove_dead_code(Module& module, std::span<const Id> kept_globals) {
  if (module.functions.size() > 1) remove_uncalled_functions(module);
  remove_unreachable_blocks(module);
  Liveness liveness(module);
  liveness.run(kept_globals);
  bool has_bridges = false;
  for (Function& function : module.functions)
    for (Block& block : function.blocks) {
      has_bridges = bridge(module, block, liveness) || has_bridges;
      for (const InstRef inst : block.body)
        if (inst != block.body.back() && !liveness.is_live(inst) && !is_debug_inst(module, inst)) module.kill(inst);
    }
  for (const InstRef inst : module.types) {
    // It has no result of its own, and belongs to the type that it announces.
    const bool announces = module[inst].op == Op::OpTypeForwardPointer && !seeded_fault("announced-types-go-alone");
    const InstRef what = announces ? module.def(module.operand(inst, 0).word) : inst;
    if (!what || !liveness.is_live(what)) module.kill(inst);
  }
  remove_debug_of_removed(module);
  module.sweep();
  if (has_bridges) remove_unreachable_blocks(module);
}

}  // namespace varylink::spirv
