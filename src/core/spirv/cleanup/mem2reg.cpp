#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <algorithm>
#include <optional>
#include <set>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/phi_places.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/debug_records.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/memory_operands.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/replaced_ids.h"
#include "spirv/ir/uses.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

using spv::Op;

struct Local {
  InstRef variable;
  Id type = 0;  // of what it holds
  bool goes = true;
  std::vector<std::uint32_t> stored, read_first;  // blocks, see PhiPlaces::of
  std::uint32_t accessed_in = Cfg::kNone;         // the block that was looked at last
  bool stored_there = false;
  InstRef declared;  // the DebugDeclare that names it or a part of the source's variable; none if there is none
};

struct Phi {
  std::uint32_t local = 0;
  Id result = 0;
  std::vector<Id> values;  // as the predecessors of its block; 0: undefined
};

class Promoter {
 public:
  explicit Promoter(Module& module) : module_(module), decorations_(module), place_(module.bound, 0) {}

  void run() {
    for (const Function& function : module_.functions) find_locals(function);
    if (locals_.empty()) return;
    for (const Function& function : module_.functions) find_other_uses(function);
    if (std::none_of(locals_.begin(), locals_.end(), [](const Local& local) { return local.goes; })) return;
    for (Function& function : module_.functions) promote_in(function);
    replaced_.apply(module_);
    module_.sweep();
  }

 private:
  // The variable that a pointer leads to, kNone if it is none that goes.
  std::uint32_t local_of(Id pointer) const {
    const std::uint32_t place = pointer < place_.size() ? place_[pointer] : 0;
    return place != 0 && locals_[place - 1].goes ? place - 1 : Cfg::kNone;
  }

  void replace(Id old_value, Id new_value) { replaced_.replace(old_value, new_value, module_); }

  void find_locals(const Function& function) {
    if (function.blocks.empty()) return;
    for (const InstRef inst : function.blocks.front().body) {
      if (module_[inst].op != Op::OpVariable) continue;
      const Id type = pointee_type(module_, module_[inst].type);
      if (!is_plain_type(module_, type)) continue;
      locals_.push_back({inst, type, true, {}, {}, Cfg::kNone, false, {}});
      place_[module_[inst].result] = static_cast<std::uint32_t>(locals_.size());
    }
  }

  // Loads and stores with memory operands may be volatile, and what is decorated may be more than what was stored.
  bool is_load(InstRef inst) const {
    return is_plain_load(module_, inst) && decorations_.may_stand_for(0, module_[inst].result);
  }
  bool is_store(InstRef inst) const { return is_plain_store(module_, inst); }

  // All indices are constants that lead to something that there is.
  bool has_known_path(InstRef chain) const {
    Id type = pointee_type(module_, module_.type_of(module_.operand(chain, 0).word));
    for (const Operand& index : module_.operands(chain).subspan(1)) {
      const InstRef def = module_.def(index.word);
      if (!def || module_[def].op != Op::OpConstant || module_.operands(def).size() != 1) return false;
      const std::uint32_t number = module_.operand(def, 0).word;
      if (number >= element_count(module_, type)) return false;
      type = element_type(module_, type, number);
    }
    return true;
  }

  // Definitions stand in front of uses, also in blocks that nothing reaches.
  void find_other_uses(const Function& function) {
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body) {
        const auto operands = module_.operands(inst);
        if (is_debug_inst(module_, inst)) {
          note_declaration(inst);
          continue;
        }
        for (std::size_t i = 0; i < operands.size(); ++i) {
          const std::uint32_t place =
              operands[i].is_id && operands[i].word < place_.size() ? place_[operands[i].word] : 0;
          if (place == 0 || (i == 0 && (is_load(inst) || is_store(inst)))) continue;
          if (i == 0 && is_access_chain(module_[inst].op) && has_known_path(inst))
            place_[module_[inst].result] = place;
          else
            locals_[place - 1].goes = false;
        }
      }
  }

  void note_declaration(InstRef inst) {
    if (debug_number(module_, inst) != NonSemanticShaderDebugInfo100DebugDeclare) return;
    const Id variable = module_.operand(inst, kDebugValue).word;
    const std::uint32_t place = variable < place_.size() ? place_[variable] : 0;
    if (place != 0 && module_[locals_[place - 1].variable].result == variable) locals_[place - 1].declared = inst;
  }

  // What the variable of the source is from here on; none if it has no name there.
  InstRef named(std::uint32_t local, Id value) {
    const InstRef declared = locals_[local].declared;
    if (!declared) return {};
    const auto present = module_.operands(declared);
    std::vector<Operand> operands(present.begin(), present.end());
    operands[1] = lit(NonSemanticShaderDebugInfo100DebugValue);
    operands[kDebugValue] = id(value);
    return module_.create(Op::OpExtInst, module_[declared].type, module_.new_id(), operands);
  }

  void promote_in(Function& function) {
    const auto goes = [&](InstRef inst) {
      return module_[inst].op == Op::OpVariable && local_of(module_[inst].result) != Cfg::kNone;
    };
    if (function.blocks.empty() ||
        std::none_of(function.blocks.front().body.begin(), function.blocks.front().body.end(), goes))
      return;
    const Cfg cfg(module_, function);
    place_phis(function, cfg);
    for (const InstRef inst : function.blocks.front().body)
      if (goes(inst) && module_.operands(inst).size() == 2)
        value_[local_of(module_[inst].result)] = module_.operand(inst, 1).word;
    follow_values(function, cfg);
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block)
      if (!cfg.reachable(block)) rewrite_block(function.blocks[block]);
    remove_needless_phis(cfg);
    insert_phis(function, cfg);
  }

  void place_phis(const Function& function, const Cfg& cfg) {
    std::vector<std::uint32_t> locals;  // in order of first access
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
      if (!cfg.reachable(block)) continue;
      for (const InstRef inst : function.blocks[block].body) {
        const Op op = module_[inst].op;
        if (op != Op::OpLoad && op != Op::OpStore) continue;
        const Id pointer = module_.operand(inst, 0).word;
        const std::uint32_t local = local_of(pointer);
        if (local == Cfg::kNone) continue;
        if (locals_[local].accessed_in == Cfg::kNone) locals.push_back(local);
        note_access(locals_[local], block, op == Op::OpStore, module_.def_op(pointer) == Op::OpVariable);
      }
    }
    value_.assign(locals_.size(), 0);
    phis_.clear();
    phis_of_.assign(function.blocks.size(), {});
    if (function.blocks.size() == 1) return;
    PhiPlaces places(cfg);
    for (const std::uint32_t local : locals)
      for (const std::uint32_t block : places.of(locals_[local].stored, locals_[local].read_first)) {
        phis_of_[block].push_back(static_cast<std::uint32_t>(phis_.size()));
        phis_.push_back({local, module_.new_id(), std::vector<Id>(cfg.predecessors(block).size(), 0)});
      }
  }

  // A store to a part leaves the rest as it was: it reads, too.
  static void note_access(Local& local, std::uint32_t block, bool is_store, bool of_all) {
    if (local.accessed_in != block) {
      local.accessed_in = block;
      local.stored_there = false;
      if (!is_store || !of_all) local.read_first.push_back(block);
    }
    if (!is_store || local.stored_there) return;
    local.stored_there = true;
    local.stored.push_back(block);
  }

  // Down the dominator tree: what a variable holds at the start of a block is what it held at the end of the immediate
  // dominator, if the block has no phi for it.
  void follow_values(Function& function, const Cfg& cfg) {
    std::vector<std::pair<std::uint32_t, std::size_t>> open;  // blocks around, length of changes_ when they began
    changes_.clear();
    for (const std::uint32_t block : cfg.dominator_tree()) {
      while (!open.empty() && !cfg.dominates(open.back().first, block)) {
        for (; changes_.size() > open.back().second; changes_.pop_back())
          value_[changes_.back().first] = changes_.back().second;
        open.pop_back();
      }
      open.emplace_back(block, changes_.size());
      for (const std::uint32_t phi : phis_of_[block]) set_value(phis_[phi].local, phis_[phi].result);
      rewrite_block(function.blocks[block]);
      for (const std::uint32_t next : cfg.successors(block)) {
        const auto& before = cfg.predecessors(next);
        const auto position = static_cast<std::size_t>(std::find(before.begin(), before.end(), block) - before.begin());
        for (const std::uint32_t phi : phis_of_[next]) phis_[phi].values[position] = value_[phis_[phi].local];
      }
    }
    std::fill(value_.begin(), value_.end(), 0);
  }

  void set_value(std::uint32_t local, Id value) {
    changes_.emplace_back(local, value_[local]);
    value_[local] = value;
  }

  void rewrite_block(Block& block) {
    std::vector<std::pair<std::size_t, InstRef>> names;  // places in the body, and what is to stand behind them
    for (std::size_t i = 0; i < block.body.size(); ++i) {
      InstRef& inst = block.body[i];
      const Op op = module_[inst].op;
      if (op == Op::OpVariable || is_access_chain(op)) {
        if (local_of(module_[inst].result) != Cfg::kNone) gone_.push_back(inst);
      } else if (op == Op::OpLoad || op == Op::OpStore) {
        const Id pointer = module_.operand(inst, 0).word;
        const std::uint32_t local = local_of(pointer);
        if (local == Cfg::kNone) continue;
        if (op == Op::OpLoad) {
          rewrite_load(inst, local, path_to(pointer));
        } else {
          rewrite_store(inst, local, path_to(pointer));
          if (const InstRef name = named(local, value_[local])) names.emplace_back(i, name);
        }
      }
    }
    for (auto name = names.rbegin(); name != names.rend(); ++name)
      block.body.insert(block.body.begin() + static_cast<std::ptrdiff_t>(name->first) + 1, name->second);
  }

  // The constant indices between a variable and what the pointer leads to.
  std::vector<Operand> path_to(Id pointer) const {
    std::vector<Operand> path;
    for (InstRef def = module_.def(pointer); module_[def].op != Op::OpVariable;
         def = module_.def(module_.operand(def, 0).word)) {
      std::vector<Operand> step;
      for (const Operand& index : module_.operands(def).subspan(1))
        step.push_back(lit(module_.operand(module_.def(index.word), 0).word));
      path.insert(path.begin(), step.begin(), step.end());
    }
    return path;
  }

  Id undefined(Id type) {
    if (!globals_) globals_.emplace(module_);
    return globals_->undef(type);
  }

  void rewrite_load(InstRef load, std::uint32_t local, const std::vector<Operand>& path) {
    const Id result = module_[load].result;
    if (path.empty() || value_[local] == 0) {
      const Id value = value_[local] == 0 ? undefined(module_[load].type) : replaced_.current(value_[local]);
      decorations_.pass_on(module_, value, result);
      replace(result, value);
      return module_.kill(load);
    }
    std::vector<Operand> operands = {id(replaced_.current(value_[local]))};
    operands.insert(operands.end(), path.begin(), path.end());
    module_.rewrite(load, Op::OpCompositeExtract, operands);
  }

  void rewrite_store(InstRef& store, std::uint32_t local, const std::vector<Operand>& path) {
    const Id stored = replaced_.current(module_.operand(store, 1).word), type = locals_[local].type;
    module_.kill(store);
    if (path.empty()) return set_value(local, stored);
    const Id whole = value_[local] == 0 ? undefined(type) : replaced_.current(value_[local]);
    std::vector<Operand> operands = {id(stored), id(whole)};
    operands.insert(operands.end(), path.begin(), path.end());
    store = module_.create(Op::OpCompositeInsert, type, module_.new_id(), operands);
    set_value(local, module_[store].result);
  }

  // A phi that brings together one value and itself is that value.
  void remove_needless_phis(const Cfg& cfg) {
    for (bool again = true; again;) {
      again = false;
      for (const std::uint32_t block : cfg.reverse_post_order())
        for (const std::uint32_t phi : phis_of_[block]) {
          const Id result = phis_[phi].result;
          if (replaced_.current(result) != result) continue;
          const std::optional<Id> only = only_value(phis_[phi]);
          if (!only) continue;
          const Id value = *only == 0 ? undefined(locals_[phis_[phi].local].type) : *only;
          decorations_.pass_on(module_, value, result);
          replace(result, value);
          again = true;
        }
    }
  }

  std::optional<Id> only_value(const Phi& phi) const {
    std::optional<Id> only;
    for (const Id operand : phi.values) {
      const Id value = replaced_.current(operand);
      if (value == phi.result || value == only) continue;
      if (only) return std::nullopt;
      only = value;
    }
    return only;
  }

  void insert_phis(Function& function, const Cfg& cfg) {
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
      std::vector<InstRef> code, names;
      for (const std::uint32_t phi : phis_of_[block]) {
        if (replaced_.current(phis_[phi].result) != phis_[phi].result) continue;
        code.push_back(make_phi(function, cfg, block, phis_[phi]));
        if (const InstRef name = named(phis_[phi].local, phis_[phi].result)) names.push_back(name);
      }
      auto& body = function.blocks[block].body;
      const auto behind_phis =
          std::find_if(body.begin(), body.end(), [&](InstRef inst) { return module_[inst].op != Op::OpPhi; });
      body.insert(behind_phis, names.begin(), names.end());
      body.insert(body.begin(), code.begin(), code.end());
    }
    for (const InstRef inst : gone_) {
      if (const std::uint32_t local = local_of(module_[inst].result); local != Cfg::kNone && locals_[local].declared)
        module_.kill(locals_[local].declared);
      module_.kill(inst);
    }
    gone_.clear();
  }

  // What a variable of relaxed precision holds is of relaxed precision.
  InstRef make_phi(const Function& function, const Cfg& cfg, std::uint32_t block, const Phi& phi) {
    const Local& local = locals_[phi.local];
    std::vector<Operand> operands;
    for (std::size_t i = 0; i < phi.values.size(); ++i) {
      operands.push_back(id(phi.values[i] == 0 ? undefined(local.type) : replaced_.current(phi.values[i])));
      operands.push_back(id(function.blocks[cfg.predecessors(block)[i]].label));
    }
    if (is_relaxed(module_[local.variable].result)) decorate(module_, phi.result, spv::Decoration::RelaxedPrecision);
    return module_.create(Op::OpPhi, local.type, phi.result, operands);
  }

  bool is_relaxed(Id variable) {
    if (!relaxed_) relaxed_ = relaxed_ids(module_);
    return relaxed_->count(variable) != 0;
  }

  Module& module_;
  ValueDecorations decorations_;
  std::optional<Globals> globals_;       // indexing them takes time, and few modules need it
  std::optional<std::set<Id>> relaxed_;  // once there is a phi
  std::vector<Local> locals_;
  std::vector<std::uint32_t> place_;  // by id of a variable or a pointer into it: 1 + place in locals_, 0 for others
  ReplacedIds replaced_;              // loads and phis by values
  std::vector<InstRef> gone_;         // variables and pointers, which paths are read from until all is done

  // Of the function at hand.
  std::vector<Phi> phis_;
  std::vector<std::vector<std::uint32_t>> phis_of_;    // by block, places in phis_
  std::vector<Id> value_;                              // by local: what it holds, 0: undefined
  std::vector<std::pair<std::uint32_t, Id>> changes_;  // local, and what it held before
};

}  // namespace

void mem2reg(Module& module) { Promoter(module).run(); }

}  // namespace varylink::spirv
