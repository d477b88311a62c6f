#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/memory_operands.h"
#include "spirv/ir/memory_reads.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/replaced_ids.h"
#include "spirv/ir/uses.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {
namespace {

using spv::Op;

// A local variable that is only loaded and stored, and how.
struct CopyTarget {
  InstRef variable;
  std::vector<InstRef> whole_stores;
  std::size_t part_stores = 0;
  bool is_plain = true;
};

// The locals of one function and the paths into them.
class Locals {
 public:
  Locals(const Module& module, const Function& function) : module_(module) {
    for (const InstRef inst : function.blocks.front().body)
      if (module[inst].op == Op::OpVariable) {
        place_of_[module[inst].result] = locals_.size();
        locals_.push_back({inst, {}, 0, module.operands(inst).size() == 1});
      }
    if (locals_.empty()) return;
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body) note(inst);
  }

  std::vector<CopyTarget>& all() { return locals_; }
  // The local that a pointer leads to, none for other pointers.
  CopyTarget* of(Id pointer) {
    const auto found = place_of_.find(pointer);
    return found == place_of_.end() ? nullptr : &locals_[found->second];
  }

 private:
  // Definitions stand in front of uses.
  void note(InstRef inst) {
    if (is_debug_inst(module_, inst)) return;
    const auto operands = module_.operands(inst);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto found = operands[i].is_id ? place_of_.find(operands[i].word) : place_of_.end();
      if (found == place_of_.end()) continue;
      CopyTarget& local = locals_[found->second];
      const bool is_whole = operands[i].word == module_[local.variable].result;
      if (i == 0 && is_access_chain(module_[inst].op))
        place_of_[module_[inst].result] = found->second;
      else if (i == 0 && is_plain_store(module_, inst) && is_whole)
        local.whole_stores.push_back(inst);
      else if (i == 0 && is_plain_store(module_, inst))
        ++local.part_stores;
      else if (i != 0 || !is_plain_load(module_, inst))
        local.is_plain = false;
    }
  }

  const Module& module_;
  std::vector<CopyTarget> locals_;
  std::map<Id, std::size_t> place_of_;  // of variables and paths into them
};

class CopyForwarder {
 public:
  CopyForwarder(Module& module, Function& function)
      : module_(module),
        function_(function),
        cfg_(module, function),
        reads_(module),
        places_(places_of(module)),
        locals_(module, function) {}

  void run() {
    for (const CopyTarget& local : locals_.all())
      if (local.is_plain && local.part_stores == 0 && local.whole_stores.size() == 1) forward(local);
  }

 private:
  // The pointer that the value was loaded from, 0 if it was not or may be another value now.
  Id origin(Id value) const {
    InstRef def = module_.def(value);
    while (def && module_[def].op == Op::OpCopyObject) def = module_.def(module_.operand(def, 0).word);
    if (!def) return 0;
    if (module_[def].op == Op::OpCompositeConstruct) return origin_of_parts(def);
    return module_[def].op == Op::OpLoad && reads_.is_constant(def) ? module_.operand(def, 0).word : 0;
  }

  // Of an array that is put together from all elements of another one.
  Id origin_of_parts(InstRef construct) const {
    const auto parts = module_.operands(construct);
    if (module_.def_op(module_[construct].type) != Op::OpTypeArray) return 0;
    Id whole = 0;
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      const Id base = base_of_part(parts[i].word, i);
      if (base == 0 || (i != 0 && base != whole)) return 0;
      whole = base;
    }
    const Id type = pointee_type(module_, module_.type_of(whole));
    return type == module_[construct].type ? whole : 0;
  }

  // The pointer to the whole that the value is element `index` of, 0 if it is none.
  Id base_of_part(Id value, std::uint32_t index) const {
    const InstRef def = module_.def(value);
    if (!def) return 0;
    if (module_[def].op == Op::OpCompositeExtract && module_.operands(def).size() == 2)
      return module_.operand(def, 1).word == index ? origin(module_.operand(def, 0).word) : 0;
    if (module_[def].op != Op::OpLoad || !reads_.is_constant(def)) return 0;
    const InstRef path = module_.def(module_.operand(def, 0).word);
    if (!path || !is_access_chain(module_[path].op) || module_.operands(path).size() != 2) return 0;
    return constant_index(module_, module_.operand(path, 1).word) == index ? module_.operand(path, 0).word : 0;
  }

  void forward(const CopyTarget& local) {
    const InstRef store = local.whole_stores.front();
    const Id source = origin(module_.operand(store, 1).word);
    if (source == 0 ||
        pointee_type(module_, module_.type_of(source)) != pointee_type(module_, module_[local.variable].type))
      return;
    if (!runs_before_all_reads(local, store)) return;
    const Id copy = module_[local.variable].result;
    const auto storage = static_cast<spv::StorageClass>(module_.operand(module_.def(module_.type_of(source)), 0).word);
    std::vector<Id> moved = {copy};
    for (const Block& block : function_.blocks)
      for (const InstRef inst : block.body) {
        const bool is_load = is_plain_load(module_, inst);
        if (!is_load && !is_access_chain(module_[inst].op)) continue;
        const Id base = module_.operand(inst, 0).word;
        if (std::find(moved.begin(), moved.end(), base) == moved.end()) continue;
        if (base == copy) module_.set_operand(inst, 0, id(source));
        if (is_load) continue;
        moved.push_back(module_[inst].result);
        if (!globals_) globals_.emplace(module_);
        module_.set_type(inst, globals_->pointer_type(storage, pointee_type(module_, module_[inst].type)));
      }
  }

  bool runs_before_all_reads(const CopyTarget& local, InstRef store) {
    for (const Block& block : function_.blocks)
      for (const InstRef inst : block.body) {
        if (!is_plain_load(module_, inst) && !is_access_chain(module_[inst].op)) continue;
        if (locals_.of(module_.operand(inst, 0).word) != &local) continue;
        if (!cfg_.precedes(places_[store.index], places_[inst.index])) return false;
      }
    return true;
  }

  Module& module_;
  Function& function_;
  Cfg cfg_;
  MemoryReads reads_;
  std::vector<Place> places_;
  Locals locals_;
  std::optional<Globals> globals_;  // once something is forwarded
};

class StoreForwarder {
 public:
  StoreForwarder(Module& module, Function& function)
      : module_(module), function_(function), locals_(module, function), decorations_(module) {}

  void run() {
    if (locals_.all().empty()) return;
    const Cfg cfg(module_, function_);
    const std::vector<Place> places = places_of(module_);
    for (std::uint32_t block = 0; block < function_.blocks.size(); ++block) {
      std::map<const CopyTarget*, Id> stored;  // as a whole and last, in this block
      for (const InstRef inst : function_.blocks[block].body) {
        if (!is_plain_load(module_, inst) && !is_plain_store(module_, inst)) continue;
        const Id pointer = module_.operand(inst, 0).word;
        const CopyTarget* local = locals_.of(pointer);
        if (!local || !local->is_plain) continue;
        if (module_[inst].op == Op::OpStore) {
          const bool is_whole = pointer == module_[local->variable].result;
          stored[local] = is_whole ? module_.operand(inst, 1).word : 0;
          continue;
        }
        Id value = stored.count(local) != 0 ? stored.at(local) : 0;
        const bool is_only = local->whole_stores.size() == 1 && local->part_stores == 0;
        if (is_only && cfg.precedes(places[local->whole_stores.front().index], places[inst.index]))
          value = module_.operand(local->whole_stores.front(), 1).word;
        if (value != 0) read_value(inst, value);
      }
    }
    replaced_.apply(module_);
    module_.sweep();
  }

 private:
  void read_value(InstRef load, Id value) {
    const Id result = module_[load].result;
    const std::optional<std::vector<Operand>> path = constant_path(module_.operand(load, 0).word);
    if (!path || !decorations_.may_stand_for(0, result)) return;
    value = replaced_.current(value);
    if (path->empty()) {
      decorations_.pass_on(module_, value, result);
      replaced_.replace(result, value, module_);
      return module_.kill(load);
    }
    std::vector<Operand> operands = {id(value)};
    operands.insert(operands.end(), path->begin(), path->end());
    module_.rewrite(load, Op::OpCompositeExtract, operands);
  }

  // From the variable to what the pointer leads to; none if an index is not constant, or leads to nothing.
  std::optional<std::vector<Operand>> constant_path(Id pointer) const {
    const AccessPath way = access_path(module_, pointer);
    Id type = pointee_type(module_, module_.type_of(way.root));
    std::vector<Operand> path;
    for (const Id index : way.indices) {
      const std::optional<std::uint32_t> number = constant_index(module_, index);
      if (!number || *number >= element_count(module_, type)) return std::nullopt;
      path.push_back(lit(*number));
      type = element_type(module_, type, *number);
    }
    return path;
  }

  Module& module_;
  Function& function_;
  Locals locals_;
  ValueDecorations decorations_;
  ReplacedIds replaced_;  // loads by values
};

}  // namespace

void forward_array_copies(Module& module) {
  for (Function& function : module.functions)
    if (!function.blocks.empty()) CopyForwarder(module, function).run();
}

void forward_stores(Module& module) {
  for (Function& function : module.functions)
    if (!function.blocks.empty()) StoreForwarder(module, function).run();
}

}  // namespace varylink::spirv
