#include <algorithm>
#include <map>
#include <optional>

#include "base/seeded_fault.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/code_forms.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

// Bit i: component i.
using ComponentMask = std::uint32_t;

ComponentMask all_components(const Module& module, Id type) { return (1u << spirv::component_count(module, type)) - 1; }

// Components that a store writes for sure. With an index that is not constant it may be any of them.
ComponentMask written_by(const Module& module, const PointerAccess& store, Id type) {
  if (store.indices.empty()) return all_components(module, type);
  const auto index = constant_int(module, store.indices.front());
  return index && *index >= 0 && *index < 4 ? 1u << *index : 0;
}

// Components that have been written on every path to the end of each block.
class WrittenComponents {
 public:
  WrittenComponents(const Module& module, const spirv::Function& function,
                    const std::map<InstRef, ComponentMask>& stores)
      : cfg_(module, function) {
    std::vector<ComponentMask> own(function.blocks.size(), 0);
    for (std::size_t block = 0; block < function.blocks.size(); ++block)
      for (const InstRef inst : function.blocks[block].body)
        if (const auto found = stores.find(inst); found != stores.end()) own[block] |= found->second;
    at_end_.assign(function.blocks.size(), ~0u);
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::uint32_t block : cfg_.reverse_post_order()) {
        ComponentMask written = cfg_.predecessors(block).empty() ? 0 : ~0u;
        for (const std::uint32_t before : cfg_.predecessors(block))
          if (cfg_.reachable(before)) written &= at_end_[before];
        written |= own[block];
        changed = changed || written != at_end_[block];
        at_end_[block] = written;
      }
    }
  }

  bool has_all(std::size_t block, ComponentMask wanted) const {
    if (seeded_fault("local-takes-unwritten-results")) return true;
    return !cfg_.reachable(static_cast<std::uint32_t>(block)) || (at_end_[block] & wanted) == wanted;
  }

 private:
  spirv::Cfg cfg_;
  std::vector<ComponentMask> at_end_;
};

// Components that are written on every path from the end of each block to a return. Paths that end otherwise draw
// nothing.
class OverwrittenComponents {
 public:
  OverwrittenComponents(const Module& module, const spirv::Function& function,
                        const std::map<InstRef, ComponentMask>& stores)
      : stores_(stores), cfg_(module, function) {
    std::vector<ComponentMask> at_start(function.blocks.size(), ~0u);
    at_end_.assign(function.blocks.size(), ~0u);
    for (bool changed = true; changed;) {
      changed = false;
      for (auto block = cfg_.reverse_post_order().rbegin(); block != cfg_.reverse_post_order().rend(); ++block) {
        const std::vector<InstRef>& body = function.blocks[*block].body;
        ComponentMask later = !body.empty() && module[body.back()].op == spv::Op::OpReturn ? 0 : ~0u;
        for (const std::uint32_t next : cfg_.successors(*block)) later &= at_start[next];
        at_end_[*block] = later;
        for (const InstRef inst : body)
          if (const auto store = stores.find(inst); store != stores.end()) later |= store->second;
        changed = changed || later != at_start[*block];
        at_start[*block] = later;
      }
    }
  }

  // Something that a store writes is never drawn.
  bool hides_a_store(const spirv::Function& function) const {
    for (const std::uint32_t block : cfg_.reverse_post_order()) {
      ComponentMask later = at_end_[block];
      const std::vector<InstRef>& body = function.blocks[block].body;
      for (auto inst = body.rbegin(); inst != body.rend(); ++inst) {
        const auto store = stores_.find(*inst);
        if (store == stores_.end()) continue;
        if ((store->second & later) != 0) return true;
        later |= store->second;
      }
    }
    return false;
  }

 private:
  const std::map<InstRef, ComponentMask>& stores_;
  spirv::Cfg cfg_;
  std::vector<ComponentMask> at_end_;
};

class LocalResults {
 public:
  LocalResults(Module& module, const Entry& entry)
      : module_(module),
        entry_(entry),
        function_(*module.function(entry.function)),
        uses_(module),
        globals_(module),
        emitter_(module, globals_) {}

  void run() {
    for (const Id variable : entry_.interface)
      if (spirv::is_variable_in(module_, variable, spv::StorageClass::Output)) consider(variable);
    edit_.apply(module_, entry_.function);
    std::vector<Id> gone;
    for (const InstRef chain : dead_chains_) gone.push_back(module_[chain].result);
    spirv::remove_globals(module_, std::move(gone));
    module_.sweep();
  }

 private:
  void consider(Id variable) {
    const Id type = spirv::pointee_type(module_, module_.type_of(variable));
    if (!spirv::is_scalar_or_vector(module_, type)) return;
    const VariableAccesses accesses = accesses_of(module_, uses_, variable);
    if (accesses.obstacle || accesses.accesses.size() < 2) return;
    std::map<InstRef, ComponentMask> stores;
    for (const PointerAccess& access : accesses.accesses) {
      const bool is_store = access.kind == PointerAccess::Kind::store;
      // Memory operands such as Volatile mean something.
      if (has_memory_operands(module_, access)) return;
      if (is_store) stores[access.inst] = written_by(module_, access, type);
    }
    const bool is_read_back = stores.size() != accesses.accesses.size();
    if (!is_read_back && !OverwrittenComponents(module_, function_, stores).hides_a_store(function_)) return;
    const WrittenComponents written(module_, function_, stores);
    for (std::size_t block = 0; block < function_.blocks.size(); ++block)
      if (returns(function_.blocks[block]) && !written.has_all(block, all_components(module_, type))) return;
    redirect(variable, type, accesses, stores);
  }

  // Behind the store that is the last on every path, if there is one: values that are known early are not kept alive.
  // Or the returns.
  std::vector<InstRef> ends_of_writing(const std::map<InstRef, ComponentMask>& stores) const {
    const spirv::Cfg cfg(module_, function_);
    const auto& order = cfg.reverse_post_order();
    std::vector<InstRef> ends;
    for (const spirv::Block& block : function_.blocks)
      if (returns(block)) ends.push_back(block.body.back());
    // In reverse post-order every block but those of loops comes behind all that lead to it.
    const auto last =
        std::find_if(order.rbegin(), order.rend(), [&](std::uint32_t block) { return stores_in(block, stores); });
    if (last == order.rend() || cfg.loop_depth(*last) != 0) return ends;
    for (const std::uint32_t block : order)
      if (returns(function_.blocks[block]) && !cfg.dominates(*last, block)) return ends;
    const std::vector<InstRef>& body = function_.blocks[*last].body;
    const auto store = std::find_if(body.rbegin(), body.rend(), [&](InstRef inst) { return stores.count(inst) != 0; });
    return {*store.base()};
  }

  bool stores_in(std::uint32_t block, const std::map<InstRef, ComponentMask>& stores) const {
    const std::vector<InstRef>& body = function_.blocks[block].body;
    return std::any_of(body.begin(), body.end(), [&](InstRef inst) { return stores.count(inst) != 0; });
  }

  bool returns(const spirv::Block& block) const {
    return !block.body.empty() && module_[block.body.back()].op == spv::Op::OpReturn;
  }

  void redirect(Id variable, Id type, const VariableAccesses& accesses,
                const std::map<InstRef, ComponentMask>& stores) {
    emitter_.write_to(edit_.locals());
    const auto function_class = spv::StorageClass::Function;
    const Id local = emitter_.emit(spv::Op::OpVariable, globals_.pointer_type(function_class, type),
                                   {spirv::lit(static_cast<std::uint32_t>(function_class))});
    for (const PointerAccess& access : accesses.accesses) {
      emitter_.write_to(edit_.before(access.inst));
      const Id pointee = spirv::pointee_type(module_, module_.type_of(module_.operand(access.inst, 0).word));
      module_.set_operand(access.inst, 0, spirv::id(emitter_.chain(function_class, pointee, local, access.indices)));
    }
    for (const InstRef end : ends_of_writing(stores)) {
      emitter_.write_to(edit_.before(end));
      emitter_.store(variable, emitter_.load(type, local));
    }
    dead_chains_.insert(dead_chains_.end(), accesses.chains.begin(), accesses.chains.end());
  }

  Module& module_;
  const Entry& entry_;
  const spirv::Function& function_;
  spirv::Uses uses_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  std::vector<InstRef> dead_chains_;
};

}  // namespace

void keep_results_in_locals(Module& module, const Entry& entry) {
  if (entry.stage == Stage::fragment && module.functions.size() == 1) LocalResults(module, entry).run();
}

}  // namespace varylink::varyings
