#include "passes/flatten_branches.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "analysis/built_in_slice.h"
#include "analysis/operation_cost.h"
#include "base/seeded_fault.h"
#include "graph/value.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/memory_reads.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"

namespace varylink::passes {
namespace {

using link::LinkedStage;
using spirv::Block;
using spirv::Cfg;
using spirv::Function;
using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

// One if/else: the block that decides, the arms (Cfg::kNone: nothing is done there), and where they meet.
struct Branch {
  std::uint32_t header = Cfg::kNone, merge = Cfg::kNone;
  std::array<std::uint32_t, 2> arms = {Cfg::kNone, Cfg::kNone};  // if true, if false
  Id condition = 0;
};

bool is_constant(const Module& module, Id value) {
  const Op op = module.def_op(value);
  return op == Op::OpConstant || op == Op::OpConstantNull;
}

bool has_constant_indices(const Module& module, InstRef chain) {
  const auto indices = module.operands(chain).subspan(1);
  return std::all_of(indices.begin(), indices.end(),
                     [&](const spirv::Operand& index) { return is_constant(module, index.word); });
}

// May run although its arm would not be taken.
bool may_run_always(const Module& module, spirv::CertainReads& reads, InstRef inst) {
  switch (module[inst].op) {
    case Op::OpCopyObject:
    case Op::OpCompositeConstruct:
    case Op::OpCompositeExtract:
    case Op::OpCompositeInsert:
    case Op::OpVectorShuffle:
    case Op::OpVectorTimesScalar:
    case Op::OpMatrixTimesScalar:
    case Op::OpMatrixTimesVector:
    case Op::OpVectorTimesMatrix:
    case Op::OpMatrixTimesMatrix:
    case Op::OpDot: return true;
    case Op::OpAccessChain: return has_constant_indices(module, inst);
    // The chain may stand in front of the branch: it computes an address wherever that leads, the load goes there.
    case Op::OpLoad: return reads.may_speculate(inst);
    case Op::OpExtInst:
      return spirv::is_glsl_inst(module, inst) && graph::is_pure_scalar_glsl(module.operand(inst, 1).word);
    default: return graph::is_pure_scalar_op(module[inst].op);
  }
}

class Flattener {
 public:
  Flattener(LinkedStage& stage, const analysis::CostProfile& profile)
      : module_(stage.module), function_(*module_.function(stage.entry.function)), profile_(profile) {}

  // True if there was one more branch to flatten.
  bool flatten_one(PassContext& context) {
    const Cfg cfg(module_, function_);
    // Few stages have a branch that makes these worth while.
    std::optional<std::vector<bool>> pinned;
    std::optional<spirv::CertainReads> reads;
    // Inner branches come first, so that what they were in can follow.
    for (auto block = cfg.reverse_post_order().rbegin(); block != cfg.reverse_post_order().rend(); ++block) {
      const std::optional<Branch> branch = branch_at(cfg, *block);
      if (!branch) continue;
      if (!pinned) pinned = analysis::reaches_built_in(module_, function_);
      if (!reads) reads.emplace(module_, function_);
      if (!may_flatten(*branch, *pinned, *reads) || !pays(*branch) || !context.spend_fuel()) continue;
      flatten(*branch);
      return true;
    }
    return false;
  }

 private:
  std::optional<Branch> branch_at(const Cfg& cfg, std::uint32_t header) const {
    const std::vector<InstRef>& body = function_.blocks[header].body;
    if (body.size() < 2 || module_[body.back()].op != Op::OpBranchConditional) return std::nullopt;
    const InstRef selection = body[body.size() - 2];
    const auto dont_flatten = static_cast<std::uint32_t>(spv::SelectionControlMask::DontFlatten);
    if (module_[selection].op != Op::OpSelectionMerge || (module_.operand(selection, 1).word & dont_flatten) != 0)
      return std::nullopt;
    Branch branch;
    branch.header = header;
    branch.merge = cfg.block_of(module_.operand(selection, 0).word);
    branch.condition = module_.operand(body.back(), 0).word;
    if (branch.merge == Cfg::kNone || cfg.predecessors(branch.merge).size() != 2) return std::nullopt;
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint32_t arm = cfg.block_of(module_.operand(body.back(), side == 0 ? 1 : 2).word);
      if (arm == branch.merge) continue;
      if (arm == Cfg::kNone || cfg.predecessors(arm).size() != 1 ||
          cfg.successors(arm) != std::vector<std::uint32_t>{branch.merge})
        return std::nullopt;
      branch.arms[side] = arm;
    }
    return branch.arms[0] == branch.arms[1] ? std::nullopt : std::optional(branch);
  }

  template <typename Each>
  void for_each_in_arms(const Branch& branch, Each each) const {
    for (const std::uint32_t arm : branch.arms)
      if (arm != Cfg::kNone)
        for (const InstRef inst : function_.blocks[arm].body)
          if (module_[inst].op != Op::OpBranch) each(inst);
  }

  std::vector<InstRef> phis_of(const Branch& branch) const {
    std::vector<InstRef> phis;
    for (const InstRef inst : function_.blocks[branch.merge].body)
      if (module_[inst].op == Op::OpPhi) phis.push_back(inst);
    return phis;
  }

  bool may_flatten(const Branch& branch, const std::vector<bool>& pinned, spirv::CertainReads& reads) const {
    const std::vector<InstRef> phis = phis_of(branch);
    const auto selectable = [&](InstRef phi) {
      return spirv::is_scalar_or_vector(module_, module_[phi].type) && !pinned[module_[phi].result];
    };
    bool allowed = !phis.empty() && std::all_of(phis.begin(), phis.end(), selectable);
    for_each_in_arms(branch, [&](InstRef inst) {
      const bool is_line = module_[inst].op == Op::OpLine || module_[inst].op == Op::OpNoLine;
      if (is_line || seeded_fault("flatten-runs-anything")) return;
      allowed = allowed && may_run_always(module_, reads, inst) && !pinned[module_[inst].result];
    });
    return allowed;
  }

  // With the jump one arm runs, here both do. The selections take the place of the moves that merged the values.
  bool pays(const Branch& branch) const {
    double arms = 0;
    for_each_in_arms(branch, [&](InstRef inst) { arms += analysis::cost_of(profile_, module_, inst); });
    return arms / 2 <= profile_[analysis::OpClass::branch].cost;
  }

  void flatten(const Branch& branch) {
    std::vector<InstRef>& body = function_.blocks[branch.header].body;
    const InstRef jump = body.back(), selection = body[body.size() - 2];
    body.resize(body.size() - 2);
    module_.kill(selection);
    for_each_in_arms(branch, [&](InstRef inst) { body.push_back(inst); });
    for (const std::uint32_t arm : branch.arms)
      if (arm != Cfg::kNone) function_.blocks[arm].body = {function_.blocks[arm].body.back()};
    module_.rewrite(jump, Op::OpBranch, {spirv::id(function_.blocks[branch.merge].label)});
    body.push_back(jump);
    for (const InstRef phi : phis_of(branch)) select(branch, phi);
    std::set<std::uint32_t> gone;
    for (const std::uint32_t arm : branch.arms)
      if (arm != Cfg::kNone) gone.insert(arm);
    if (absorb_merge(branch)) gone.insert(branch.merge);
    remove_blocks(gone);
  }

  void select(const Branch& branch, InstRef phi) {
    const Id on_true = function_.blocks[branch.arms[0] == Cfg::kNone ? branch.header : branch.arms[0]].label;
    Id values[2] = {0, 0};
    for (std::uint32_t i = 0; i < 4; i += 2)
      values[module_.operand(phi, i + 1).word == on_true ? 0 : 1] = module_.operand(phi, i).word;
    if (seeded_fault("flatten-swaps-arms")) std::swap(values[0], values[1]);
    std::vector<InstRef> code;
    spirv::Globals globals(module_);
    io::Emitter emitter(module_, globals);
    emitter.write_to(code);
    const Id selected = emitter.select(module_[phi].type, branch.condition, values[0], values[1]);
    std::vector<InstRef>& body = function_.blocks[branch.header].body;
    body.insert(body.end() - 1, code.begin(), code.end());
    module_.rewrite(phi, Op::OpCopyObject, {spirv::id(selected)});
  }

  // What they held is somewhere else, or dead.
  void remove_blocks(const std::set<std::uint32_t>& gone) {
    std::vector<Block> kept;
    for (std::uint32_t i = 0; i < function_.blocks.size(); ++i) {
      Block& block = function_.blocks[i];
      if (gone.count(i) == 0) {
        kept.push_back(std::move(block));
        continue;
      }
      for (const InstRef inst : block.body) module_.kill(inst);
      for (const InstRef inst : block.head) module_.kill(inst);
    }
    function_.blocks = std::move(kept);
  }

  // Header and merge block become one, so that what they are in has an arm of one block.
  bool absorb_merge(const Branch& branch) {
    const Id label = function_.blocks[branch.merge].label;
    const spirv::Uses uses(module_);
    const auto users = uses.of(label);
    const auto may_be_renamed = [&](InstRef user) {
      return module_[user].op == Op::OpPhi || module_[user].op == Op::OpBranch;
    };
    if (!std::all_of(users.begin(), users.end(), may_be_renamed)) return false;
    Block& header = function_.blocks[branch.header];
    for (const InstRef user : users)
      for (std::uint32_t i = 0; i < module_.operands(user).size(); ++i)
        if (module_.operand(user, i) == spirv::id(label)) module_.set_operand(user, i, spirv::id(header.label));
    module_.kill(header.body.back());
    header.body.pop_back();
    Block& merge = function_.blocks[branch.merge];
    header.body.insert(header.body.end(), merge.body.begin(), merge.body.end());
    merge.body.clear();
    return true;
  }

  Module& module_;
  Function& function_;
  const analysis::CostProfile& profile_;
};

}  // namespace

Result<Progress> flatten_branches(link::Link& link, PassContext& context) {
  Progress progress = Progress::none;
  for (LinkedStage* producer : link.producers) {
    if (producer->module.functions.size() != 1) continue;
    Flattener flattener(*producer, context.options().profile);
    while (flattener.flatten_one(context)) progress = Progress::producer;
  }
  link.unrecorded_change = link.unrecorded_change || progress != Progress::none;
  return progress;
}

}  // namespace varylink::passes
