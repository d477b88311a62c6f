#include <algorithm>
#include <set>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/value_numbers.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/replaced_ids.h"
#include "spirv/ir/result_blocks.h"
#include "spirv/ir/source_places.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// Moves what the sides of a branch have in common, as far as a phi asks for it, in front of the branch.
class Hoister {
 public:
  Hoister(Module& module, Function& function, const ValueNumbers& numbers, ReplacedIds& replaced)
      : module_(module),
        function_(function),
        numbers_(numbers),
        replaced_(replaced),
        cfg_(module, function),
        home_(blocks_of_results(module, function)) {}

  // True if something changed.
  bool run() {
    for (std::uint32_t block = 0; block < function_.blocks.size(); ++block) {
      const std::vector<InstRef> body = function_.blocks[block].body;
      for (const InstRef inst : body) {
        if (module_[inst].op != Op::OpPhi) break;
        hoist_to(inst);
      }
    }
    for (const InstRef phi : gone_) module_.kill(phi);
    return !gone_.empty();
  }

 private:
  // The values that meet in the phi are one value, and each is computed as soon as its side of the branch is entered,
  // so that it is computed whatever the branch decides.
  void hoist_to(InstRef phi) {
    const auto operands = module_.operands(phi);
    std::vector<std::uint32_t> sides;
    for (std::size_t i = 0; i < operands.size(); i += 2) {
      const std::uint32_t side = home_[operands[i].word];
      if (numbers_.of(operands[i].word) != numbers_.of(operands[0].word) || side == Cfg::kNone) return;
      sides.push_back(side);
    }
    const bool is_that = numbers_.of(module_[phi].result) == numbers_.of(operands[0].word);  // in its decorations, too
    if (!is_that || sides.size() < 2 || cfg_.predecessors(sides.front()).size() != 1) return;
    const std::uint32_t branch = cfg_.predecessors(sides.front()).front();
    const auto& successors = cfg_.successors(branch);
    std::sort(sides.begin(), sides.end());
    sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
    std::vector<std::uint32_t> entered(successors.begin(), successors.end());
    std::sort(entered.begin(), entered.end());
    entered.erase(std::unique(entered.begin(), entered.end()), entered.end());
    if (sides != entered || sides.size() < 2) return;
    for (const std::uint32_t side : sides)
      if (cfg_.predecessors(side).size() != 1) return;
    std::vector<InstRef> code;
    if (!collect(operands[0].word, code)) return;
    replaced_.replace(module_[phi].result, operands[0].word, module_);
    gone_.push_back(phi);
    move(code, home_[operands[0].word], branch);
  }

  // The instructions of the block of `value` that it is made of, operands first; false if one of them may not move.
  bool collect(Id value, std::vector<InstRef>& code) const {
    const std::uint32_t side = home_[value];
    std::vector<Id> open = {value};
    std::set<Id> needed;
    while (!open.empty()) {
      const Id id = open.back();
      open.pop_back();
      if (home_[id] != side || !needed.insert(id).second) continue;
      if (!may_move(module_.def(id))) return false;
      for (const Operand& operand : module_.operands(module_.def(id)))
        if (operand.is_id) open.push_back(operand.word);
    }
    for (const InstRef inst : function_.blocks[side].body)
      if (needed.count(module_[inst].result) != 0) code.push_back(inst);
    return true;
  }

  // Arithmetic, and what takes values apart and together; addresses and loads, which are computed on every side. What
  // depends on who else is there (rule) has a number of its own, and is no common value.
  bool may_move(InstRef inst) const {
    return module_[inst].op == Op::OpLoad ? numbers_.is_shared(inst) : row_of(module_, inst).is(kOperandsOnly);
  }

  void move(const std::vector<InstRef>& code, std::uint32_t from, std::uint32_t to) {
    std::vector<InstRef>& source = function_.blocks[from].body;
    std::vector<InstRef>& target = function_.blocks[to].body;
    std::erase_if(source, [&](InstRef inst) { return std::find(code.begin(), code.end(), inst) != code.end(); });
    const Op before_end = target.size() > 1 ? module_[target[target.size() - 2]].op : Op::OpNop;
    const bool has_merge = before_end == Op::OpSelectionMerge || before_end == Op::OpLoopMerge;
    target.insert(target.end() - (has_merge ? 2 : 1), code.begin(), code.end());
    for (const InstRef inst : code) home_[module_[inst].result] = to;
  }

  Module& module_;
  Function& function_;
  const ValueNumbers& numbers_;
  ReplacedIds& replaced_;  // phis by values
  Cfg cfg_;
  std::vector<std::uint32_t> home_;  // by id: the block that defines it
  std::vector<InstRef> gone_;        // phis
};

bool has_phi(const Module& module) {
  const auto starts_with_phi = [&](const Block& block) {
    return std::any_of(block.body.begin(), block.body.end(),
                       [&](InstRef inst) { return module[inst].op == Op::OpPhi; });
  };
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const Function& function) {
    return std::any_of(function.blocks.begin(), function.blocks.end(), starts_with_phi);
  });
}

}  // namespace

bool hoist_common_values(Module& module) {
  if (!has_phi(module)) return false;
  SourcePlaces places(module);  // what moves keeps its own
  const ValueNumbers numbers(module);
  ReplacedIds replaced;
  bool changed = false;
  for (Function& function : module.functions) changed = Hoister(module, function, numbers, replaced).run() || changed;
  places.put_back(module);
  if (!changed) return false;
  replaced.apply(module);
  module.sweep();
  return true;
}

}  // namespace varylink::spirv
