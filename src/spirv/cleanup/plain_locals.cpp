#include "spirv/cleanup/plain_locals.h"

#include <algorithm>
#include <optional>

#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

struct Local {
  InstRef variable;
  bool is_plain = true;  // only loaded and stored as a whole
  std::vector<InstRef> loads, stores;
  // What the variable holds in the block at hand: what was stored last, or else what was loaded.
  InstRef store;
  Id loaded = 0;
};

class Promoter {
 public:
  explicit Promoter(Module& module)
      : module_(module), decorations_(module), place_(module.bound, 0), replaced_by_(module.bound, 0) {}

  void run() {
    for (const Function& function : module_.functions) find_locals(function);
    if (locals_.empty()) return;
    for (const Function& function : module_.functions) find_accesses(function);
    for (const Function& function : module_.functions) {
      for (const Block& block : function.blocks) forward_in(block, &block == &function.blocks.front());
      if (function.blocks.size() > 1) forward_only_stores(function);
    }
    for (Local& local : locals_)
      if (local.is_plain) remove_if_unread(local);
    replace_loads();
    module_.sweep();
  }

 private:
  // The variable that an id stands for; null if it is none that could be promoted.
  Local* local(Id id) {
    const std::uint32_t place = id < place_.size() ? place_[id] : 0;
    return place == 0 ? nullptr : &locals_[place - 1];
  }

  Id current(Id value) const {
    while (value < replaced_by_.size() && replaced_by_[value] != 0) value = replaced_by_[value];
    return value;
  }

  void find_locals(const Function& function) {
    if (function.blocks.empty()) return;
    for (const InstRef inst : function.blocks.front().body) {
      if (module_[inst].op != spv::Op::OpVariable || module_.operands(inst).size() != 1) continue;
      locals_.push_back({inst, true, {}, {}, {}, 0});
      place_[module_[inst].result] = static_cast<std::uint32_t>(locals_.size());
    }
  }

  // Loads and stores with memory operands may be volatile, and what is decorated may be more than what was stored.
  bool is_load(InstRef inst) const {
    return module_[inst].op == spv::Op::OpLoad && module_.operands(inst).size() == 1 &&
           decorations_.may_stand_for(0, module_[inst].result);
  }
  bool is_store(InstRef inst) const {
    return module_[inst].op == spv::Op::OpStore && module_.operands(inst).size() == 2;
  }

  void find_accesses(const Function& function) {
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body) {
        const auto operands = module_.operands(inst);
        for (std::size_t i = 0; i < operands.size(); ++i) {
          Local* accessed = operands[i].is_id ? local(operands[i].word) : nullptr;
          if (!accessed) continue;
          if (i == 0 && is_load(inst))
            accessed->loads.push_back(inst);
          else if (i == 0 && is_store(inst))
            accessed->stores.push_back(inst);
          else
            accessed->is_plain = false;
        }
      }
  }

  // Nothing runs before the first block.
  void forward_in(const Block& block, bool is_first) {
    std::vector<Local*> known;
    for (const InstRef inst : block.body) {
      if (!is_load(inst) && !is_store(inst)) continue;
      Local* accessed = local(module_.operand(inst, 0).word);
      if (!accessed || !accessed->is_plain) continue;
      if (!accessed->store && accessed->loaded == 0) known.push_back(accessed);
      if (is_load(inst))
        forward_load(*accessed, inst, is_first);
      else
        forward_store(*accessed, inst);
    }
    for (Local* accessed : known) {
      accessed->store = {};
      accessed->loaded = 0;
    }
  }

  void forward_load(Local& from, InstRef load, bool is_first) {
    if (from.store)
      replace(load, module_.operand(from.store, 1).word);
    else if (is_first)
      replace(load, undefined(module_[load].type));
    else if (from.loaded != 0)
      replace(load, from.loaded);
    else
      from.loaded = module_[load].result;
  }

  void forward_store(Local& to, InstRef store) {
    if (!to.store && to.loaded != 0 && current(module_.operand(store, 1).word) == to.loaded) return module_.kill(store);
    if (to.store) module_.kill(to.store);
    to.store = store;
    to.loaded = 0;
  }

  Id undefined(Id type) {
    if (!globals_) globals_.emplace(module_);
    return globals_->undef(type);
  }

  void replace(InstRef load, Id value) {
    value = current(value);
    decorations_.pass_on(module_, value, module_[load].result);
    replaced_by_[module_[load].result] = value;
    module_.kill(load);
  }

  void drop_dead(std::vector<InstRef>& list) {
    std::erase_if(list, [&](InstRef inst) { return module_.is_dead(inst); });
  }

  void forward_only_stores(const Function& function) {
    const Cfg cfg(module_, function);
    std::vector<std::uint32_t> block_of(module_.inst_count(), Cfg::kNone);
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block)
      for (const InstRef inst : function.blocks[block].body)
        if (cfg.reachable(block)) block_of[inst.index] = block;
    for (const InstRef inst : function.blocks.front().body) {
      Local* variable = module_[inst].op == spv::Op::OpVariable ? local(module_[inst].result) : nullptr;
      if (!variable || !variable->is_plain) continue;
      drop_dead(variable->stores);
      if (variable->stores.size() != 1) continue;
      const InstRef store = variable->stores.front();
      const std::uint32_t from = block_of[store.index];
      for (const InstRef load : variable->loads) {
        const std::uint32_t to = block_of[load.index];
        // In the same block, what is still loaded stands in front of the store.
        if (module_.is_dead(load) || from == Cfg::kNone || to == Cfg::kNone || to == from) continue;
        if (cfg.dominates(from, to)) replace(load, module_.operand(store, 1).word);
      }
    }
  }

  void remove_if_unread(Local& variable) {
    drop_dead(variable.loads);
    if (!variable.loads.empty()) return;
    for (const InstRef store : variable.stores) module_.kill(store);
    module_.kill(variable.variable);
  }

  void replace_loads() {
    for (Function& function : module_.functions)
      for (Block& block : function.blocks)
        for (const InstRef inst : block.body) {
          const auto operands = module_.operands(inst);
          for (std::uint32_t i = 0; i < operands.size(); ++i)
            if (operands[i].is_id && current(operands[i].word) != operands[i].word)
              module_.set_operand(inst, i, id(current(operands[i].word)));
        }
  }

  Module& module_;
  ValueDecorations decorations_;
  std::optional<Globals> globals_;  // indexing them takes time, and few modules need it
  std::vector<Local> locals_;
  std::vector<std::uint32_t> place_;  // by id: 1 + place in locals_, 0 for everything else
  std::vector<Id> replaced_by_;       // by id of a load; 0: it stays
};

}  // namespace

void promote_plain_locals(Module& module) { Promoter(module).run(); }

}  // namespace varylink::spirv
