#include <algorithm>
#include <optional>
#include <vector>

#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/memory_operands.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/code_forms.h"
#include "varyings/scalarize/local_composites.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

// `output = local`, and every access to the local variable.
struct OutputCopy {
  Id output = 0, local = 0;
  InstRef load, store;
  VariableAccesses accesses;
};

class OutputCopies {
 public:
  OutputCopies(const Module& module, const Entry& entry, const std::vector<Id>& locals)
      : module_(module), entry_(entry), locals_(locals), uses_(module), places_(spirv::places_of(module)) {}

  // A copy that may become the output itself; none if there is none.
  std::optional<OutputCopy> find() const {
    for (const InterfaceVariable& output : interface_variables(module_, entry_, Direction::output)) {
      if (output.unsupported) continue;
      const VariableAccesses accesses = accesses_of(module_, uses_, output.id);
      if (accesses.obstacle || accesses.accesses.size() != 1) continue;
      std::optional<OutputCopy> copy = copy_by(accesses.accesses.front());
      if (!copy) continue;
      copy->output = output.id;
      return copy;
    }
    return std::nullopt;
  }

 private:
  std::optional<OutputCopy> copy_by(const PointerAccess& store) const {
    if (store.kind != PointerAccess::Kind::store || !store.indices.empty() ||
        !spirv::is_plain_store(module_, store.inst))
      return std::nullopt;
    const Id value = module_.operand(store.inst, 1).word;
    const InstRef load = module_.def(value);
    if (!load || !spirv::is_plain_load(module_, load) || uses_.of(value).size() != 1) return std::nullopt;
    OutputCopy copy{0, module_.operand(load, 0).word, load, store.inst, {}};
    if (std::find(locals_.begin(), locals_.end(), copy.local) == locals_.end()) return std::nullopt;
    copy.accesses = accesses_of(module_, uses_, copy.local);
    return is_only_filled_before(copy) ? std::optional(std::move(copy)) : std::nullopt;
  }

  // A store behind the copy would reach the output only now; a load would make the output something that is read (rule
  //
  bool is_only_filled_before(const OutputCopy& copy) const {
    if (copy.accesses.obstacle) return false;
    const spirv::Place& place = places_[copy.load.index];
    const spirv::Function& function = module_.functions[place.function];
    const std::vector<bool> behind = blocks_behind(function, place.block);
    return std::all_of(copy.accesses.accesses.begin(), copy.accesses.accesses.end(), [&](const PointerAccess& access) {
      if (access.inst == copy.load) return true;
      const spirv::Place& stored = places_[access.inst.index];
      const bool is_behind = behind[stored.block] || (stored.block == place.block && stored.index > place.index);
      return access.kind == PointerAccess::Kind::store && spirv::is_plain_store(module_, access.inst) && !is_behind;
    });
  }

  // Blocks that may run once this one has ended, itself among them if it is in a loop.
  std::vector<bool> blocks_behind(const spirv::Function& function, std::uint32_t block) const {
    const spirv::Cfg cfg(module_, function);
    std::vector<bool> behind(cfg.block_count(), false);
    std::vector<std::uint32_t> open = cfg.successors(block);
    while (!open.empty()) {
      const std::uint32_t next = open.back();
      open.pop_back();
      if (behind[next]) continue;
      behind[next] = true;
      open.insert(open.end(), cfg.successors(next).begin(), cfg.successors(next).end());
    }
    return behind;
  }

  const Module& module_;
  const Entry& entry_;
  const std::vector<Id>& locals_;  // of the entry point
  spirv::Uses uses_;
  std::vector<spirv::Place> places_;
};

void write_directly(Module& module, const OutputCopy& copy) {
  spirv::Globals globals(module);
  for (const InstRef chain : copy.accesses.chains) {
    if (module.operand(chain, 0).word == copy.local) module.set_operand(chain, 0, spirv::id(copy.output));
    const Id pointee = spirv::pointee_type(module, module[chain].type);
    module.set_type(chain, globals.pointer_type(spv::StorageClass::Output, pointee));
  }
  for (const PointerAccess& access : copy.accesses.accesses)
    if (module.operand(access.inst, 0).word == copy.local && access.inst != copy.load)
      module.set_operand(access.inst, 0, spirv::id(copy.output));
  module.kill(copy.store);
  module.sweep();
}

}  // namespace

bool write_outputs_directly(Module& module, const Entry& entry) {
  if (entry.stage != Stage::vertex && entry.stage != Stage::tess_eval) return false;
  const std::vector<Id> locals = local_composites(module, entry);
  if (locals.empty()) return false;
  bool any = false;
  while (const std::optional<OutputCopy> copy = OutputCopies(module, entry, locals).find()) {
    write_directly(module, *copy);
    any = true;
  }
  return any;
}

}  // namespace varylink::varyings
