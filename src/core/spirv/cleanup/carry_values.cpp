#include "spirv/cleanup/carry_values.h"

#include <algorithm>
#include <map>
#include <vector>

#include "spirv/ir/cfg.h"
#include "spirv/ir/result_blocks.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

using spv::Op;

class Carrier {
 public:
  Carrier(Module& module, Function& function, Globals& globals)
      : module_(module),
        function_(function),
        globals_(globals),
        cfg_(module, function),
        home_(blocks_of_results(module, function)) {}

  bool run() {
    for (std::uint32_t block = 0; block < function_.blocks.size(); ++block)
      if (cfg_.reachable(block)) load_in(block);
    if (variables_.empty()) return true;
    for (const auto& [value, variable] : variables_)
      if (!is_plain_type(module_, module_.type_of(value))) return false;
    for (std::uint32_t block = 0; block < function_.blocks.size(); ++block) rebuild(block);
    auto& start = function_.blocks.front().body;
    for (const auto& [value, variable] : variables_) start.insert(start.begin(), variable);
    return true;
  }

 private:
  bool gets_to(Id value, std::uint32_t block) const {
    if (value >= home_.size() || home_[value] == Cfg::kNone || home_[value] == block) return true;
    return !cfg_.reachable(home_[value]) || !cfg_.reachable(block) || cfg_.dominates(home_[value], block);
  }

  void load_in(std::uint32_t block) {
    for (const InstRef inst : function_.blocks[block].body) {
      const bool is_phi = module_[inst].op == Op::OpPhi;
      for (std::uint32_t i = 0; i < module_.operands(inst).size(); ++i) {
        const Operand operand = module_.operand(inst, i);
        if (!operand.is_id) continue;
        const std::uint32_t at =
            is_phi ? (i % 2 == 0 ? cfg_.block_of(module_.operand(inst, i + 1).word) : block) : block;
        if (at == Cfg::kNone || gets_to(operand.word, at)) continue;
        if (is_debug_inst(module_, inst)) {
          module_.kill(inst);
          break;
        }
        const InstRef load = load_of(operand.word);
        if (is_phi)
          at_end_[at].push_back(load);
        else
          in_front_[inst].push_back(load);
        module_.set_operand(inst, i, id(module_[load].result));
      }
    }
  }

  InstRef load_of(Id value) {
    const Id type = module_.type_of(value);
    InstRef& variable = variables_[value];
    if (!variable) {
      const auto storage = spv::StorageClass::Function;
      variable = module_.create(Op::OpVariable, globals_.pointer_type(storage, type), module_.new_id(),
                                {lit(static_cast<std::uint32_t>(storage))});
    }
    return module_.create(Op::OpLoad, type, module_.new_id(), {id(module_[variable].result)});
  }

  void rebuild(std::uint32_t block) {
    std::vector<InstRef> body, stores;
    const InstRef merge = merge_instruction(module_, function_.blocks[block]);
    const InstRef end = function_.blocks[block].body.back();
    for (const InstRef inst : function_.blocks[block].body) {
      if (module_.is_dead(inst)) continue;
      if (module_[inst].op != Op::OpPhi) body.insert(body.end(), stores.begin(), stores.end());
      if (module_[inst].op != Op::OpPhi) stores.clear();
      const auto loads = in_front_.find(inst);
      // What the branch needs stands in front of the merge instruction, too.
      if (inst == merge || (inst == end && !merge)) {
        if (const auto last = in_front_.find(end); last != in_front_.end())
          body.insert(body.end(), last->second.begin(), last->second.end());
        body.insert(body.end(), at_end_[block].begin(), at_end_[block].end());
      }
      if (loads != in_front_.end() && inst != end) body.insert(body.end(), loads->second.begin(), loads->second.end());
      body.push_back(inst);
      if (const auto carried = variables_.find(module_[inst].result); carried != variables_.end())
        stores.push_back(module_.create(Op::OpStore, 0, 0, {id(module_[carried->second].result), id(carried->first)}));
    }
    function_.blocks[block].body = std::move(body);
  }

  Module& module_;
  Function& function_;
  Globals& globals_;
  const Cfg cfg_;
  std::vector<std::uint32_t> home_;                       // by id: the block that defines it
  std::map<Id, InstRef> variables_;                       // by value that goes through one
  std::map<InstRef, std::vector<InstRef>> in_front_;      // loads by what uses them
  std::map<std::uint32_t, std::vector<InstRef>> at_end_;  // and by block, for phis behind it
};

}  // namespace

bool carry_values_in_variables(Module& module, Function& function, Globals& globals) {
  return Carrier(module, function, globals).run();
}

}  // namespace varylink::spirv
