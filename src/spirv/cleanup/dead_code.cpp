#include "spirv/cleanup/dead_code.h"

#include <algorithm>
#include <vector>

#include "spirv/ir/cfg.h"
#include "spirv/ir/op_info.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// What has to stay: a closure over operands, stores and the control flow around what stays.
class Liveness {
 public:
  Liveness(const Module& module, const Function& function)
      : module_(module),
        function_(function),
        cfg_(module, function),
        live_(module.inst_count(), false),
        block_of_(module.inst_count(), Cfg::kNone) {
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
      for (const InstRef inst : function.blocks[block].head) block_of_[inst.index] = block;
      for (const InstRef inst : function.blocks[block].body) block_of_[inst.index] = block;
    }
    find_headers();
    find_stores();
  }

  // False if some block is unreachable, or if some selection or loop need not stay.
  bool run() {
    if (cfg_.reverse_post_order().size() != function_.blocks.size()) return false;
    mark_global_roots();
    for (const InstRef inst : function_.head) mark(inst);
    mark(function_.blocks.front().head.back());
    for (const Block& block : function_.blocks)
      for (const InstRef inst : block.body)
        if (has_effect(inst)) mark(inst);
    spread();
    return std::all_of(function_.blocks.begin(), function_.blocks.end(),
                       [&](const Block& block) { return is_live(block.body.back()); });
  }

  bool is_live(InstRef inst) const { return live_[inst.index]; }

 private:
  // The innermost construct that a block is inside of. A header is not inside of its own.
  void find_headers() {
    header_of_.assign(function_.blocks.size(), Cfg::kNone);
    for (const std::uint32_t block : cfg_.reverse_post_order()) {
      std::uint32_t header = cfg_.immediate_dominator(block);
      while (header != Cfg::kNone && !contains(header, block)) header = cfg_.immediate_dominator(header);
      header_of_[block] = header;
    }
  }

  bool contains(std::uint32_t header, std::uint32_t block) const {
    const InstRef merge = merge_instruction(module_, function_.blocks[header]);
    if (!merge) return false;
    const std::uint32_t behind = cfg_.block_of(module_.operand(merge, 0).word);
    return behind == Cfg::kNone || !cfg_.reachable(behind) || !cfg_.dominates(behind, block);
  }

  // The local variable, or private one since there are no calls, that a pointer leads to; none for other memory.
  InstRef local_of(Id pointer) const {
    InstRef def = module_.def(pointer);
    while (def && is_path(def)) def = module_.def(module_.operand(def, 0).word);
    if (!def || module_[def].op != Op::OpVariable) return {};
    const auto storage = static_cast<spv::StorageClass>(module_.operand(def, 0).word);
    const bool is_own = storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
    return is_own ? def : InstRef{};
  }

  bool is_path(InstRef inst) const {
    const Op op = module_[inst].op;
    return op == Op::OpAccessChain || op == Op::OpInBoundsAccessChain || op == Op::OpCopyObject;
  }

  bool is_plain_store(InstRef inst) const {
    return module_[inst].op == Op::OpStore && module_.operands(inst).size() == 2;
  }

  void find_stores() {
    stores_.resize(module_.bound);
    for (const Block& block : function_.blocks)
      for (const InstRef inst : block.body)
        if (is_plain_store(inst))
          if (const InstRef variable = local_of(module_.operand(inst, 0).word))
            stores_[module_[variable].result].push_back(inst);
  }

  // Returns and discards have, branches have none by themselves.
  bool has_effect(InstRef inst) const {
    switch (module_[inst].op) {
      case Op::OpBranch:
      case Op::OpBranchConditional:
      case Op::OpSwitch:
      case Op::OpSelectionMerge:
      case Op::OpLoopMerge:
      case Op::OpUnreachable:
      case Op::OpVariable:
      case Op::OpNop: return false;
      case Op::OpStore: return !is_plain_store(inst) || !local_of(module_.operand(inst, 0).word);
      default: return !is_removable(module_, inst);
    }
  }

  void mark_global_roots() {
    for (const auto* section : {&module_.execution_modes, &module_.entry_points})
      for (const InstRef inst : *section) mark(inst);
    for (const InstRef inst : module_.annotations) {
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

  void spread() {
    while (!work_.empty()) {
      const InstRef inst = work_.back();
      work_.pop_back();
      if (module_[inst].type != 0) mark_id(module_[inst].type);
      for (const Operand& operand : module_.operands(inst))
        if (operand.is_id) need(inst, operand.word);
      if (block_of_[inst.index] != Cfg::kNone) spread_to_block(inst, block_of_[inst.index]);
    }
  }

  // Whoever is not a store into the variable, and not on the way to it, may read it.
  void need(InstRef user, Id id) {
    mark_id(id);
    const bool is_target = is_plain_store(user) && module_.operand(user, 0).word == id;
    if (is_target || is_path(user) || block_of_[user.index] == Cfg::kNone) return;
    if (const InstRef variable = local_of(id))
      for (const InstRef store : stores_[module_[variable].result]) mark(store);
  }

  void spread_to_block(InstRef inst, std::uint32_t block) {
    const Block& own = function_.blocks[block];
    const InstRef merge = merge_instruction(module_, own);
    mark(own.head.back());
    if (merge)
      mark_id(module_.operand(merge, 0).word);
    else
      mark(own.body.back());
    // Whatever is in the header of a loop is part of the loop.
    const bool is_label = module_[inst].op == Op::OpLabel;
    if (merge && module_[merge].op == Op::OpLoopMerge && !is_label) mark_branch(block);
    if (header_of_[block] != Cfg::kNone) mark_branch(header_of_[block]);
    if (inst == merge) mark_ways_out(block);
  }

  void mark_branch(std::uint32_t block) {
    if (const InstRef merge = merge_instruction(module_, function_.blocks[block])) mark(merge);
    mark(function_.blocks[block].body.back());
  }

  // Of a construct that stays, breaks and continues stay, with the selections around them.
  void mark_ways_out(std::uint32_t header) {
    const InstRef merge = merge_instruction(module_, function_.blocks[header]);
    for (std::uint32_t i = 0; i < (module_[merge].op == Op::OpLoopMerge ? 2u : 1u); ++i) {
      const std::uint32_t target = cfg_.block_of(module_.operand(merge, i).word);
      if (target == Cfg::kNone) continue;
      for (const std::uint32_t block : cfg_.predecessors(target))
        if (is_way_out(block, header, target)) mark_branch(block);
    }
  }

  // A selection that ends at the target gets there whether it stays or not.
  bool is_way_out(std::uint32_t block, std::uint32_t header, std::uint32_t target) const {
    const auto ends_there = [&](std::uint32_t other) {
      const InstRef merge = merge_instruction(module_, function_.blocks[other]);
      return module_[merge].op == Op::OpSelectionMerge && cfg_.block_of(module_.operand(merge, 0).word) == target;
    };
    if (block != header && merge_instruction(module_, function_.blocks[block]) && ends_there(block)) return false;
    const std::uint32_t around = header_of_[block];
    return around != Cfg::kNone && (around == header || !ends_there(around));
  }

  const Module& module_;
  const Function& function_;
  Cfg cfg_;
  std::vector<bool> live_;                    // by InstRef::index
  std::vector<std::uint32_t> block_of_;       // by InstRef::index
  std::vector<std::uint32_t> header_of_;      // by block
  std::vector<std::vector<InstRef>> stores_;  // by id of a variable
  std::vector<InstRef> work_;
};

}  // namespace

bool remove_dead_code(Module& module) {
  if (module.functions.size() != 1 || module.functions.front().blocks.empty()) return false;
  Liveness liveness(module, module.functions.front());
  if (!liveness.run()) return false;
  const auto remove = [&](const std::vector<InstRef>& list) {
    for (const InstRef inst : list)
      if (!liveness.is_live(inst)) module.kill(inst);
  };
  for (const Block& block : module.functions.front().blocks) remove(block.body);
  remove(module.types);
  module.sweep();
  return true;
}

}  // namespace varylink::spirv
