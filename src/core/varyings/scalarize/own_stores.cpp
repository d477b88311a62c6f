#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/seeded_fault.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/pointer_path.h"
#include "varyings/reflect/output_owner.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/code_forms.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using ConstantIndices = std::vector<std::uint32_t>;

class Forwarder {
 public:
  Forwarder(Module& module, const Entry& entry)
      : module_(module),
        entry_(entry),
        function_(*module.function(entry.function)),
        uses_(module),
        globals_(module),
        emitter_(module, globals_) {}

  bool run() {
    for (const Id variable : entry_.interface) {
      if (!spirv::is_variable_in(module_, variable, spv::StorageClass::Output) || is_volatile(variable)) continue;
      const VariableAccesses found = accesses_of(module_, uses_, variable);
      if (found.obstacle || std::any_of(found.accesses.begin(), found.accesses.end(), [&](const PointerAccess& access) {
            return has_memory_operands(module_, access);
          }))
        continue;
      if (decorations_of(module_, variable).has(spv::Decoration::Patch))
        forward_patch(found.accesses);
      else
        forward_vertex(variable, found.accesses);
    }
    if (!changed_) return false;
    edit_.apply(module_, entry_.function);
    module_.sweep();
    return true;
  }

 private:
  bool is_volatile(Id variable) const {
    const Decorations decorations = decorations_of(module_, variable);
    return decorations.has(spv::Decoration::Volatile) || decorations.has(spv::Decoration::Coherent);
  }

  // Of one member of the element, if that is a structure, else of all of it.
  struct OwnAccess {
    const PointerAccess* access;
    std::span<const Id> indices;  // below that
  };

  void forward_vertex(Id variable, const std::vector<PointerAccess>& accesses) {
    const Id array = spirv::pointee_type(module_, module_.type_of(variable));
    if (module_.def_op(array) != spv::Op::OpTypeArray) return;
    const Id element = spirv::element_type(module_, array);
    const bool has_members = module_.def_op(element) == spv::Op::OpTypeStruct;
    std::map<std::optional<std::uint32_t>, std::vector<OwnAccess>> by_member;
    for (const PointerAccess& access : accesses) {
      const bool is_own = !access.indices.empty() && is_own_invocation(module_, access.indices.front());
      const bool is_store = access.kind == PointerAccess::Kind::store;
      if (!is_own && is_store) return;
      if (!is_own) continue;
      std::span<const Id> indices = std::span(access.indices).subspan(1);
      std::optional<std::uint32_t> member;
      if (has_members) {
        if (indices.empty()) return;
        member = spirv::constant_index(module_, indices.front());
        if (!member) return;
        indices = indices.subspan(1);
      }
      by_member[member].push_back({&access, indices});
    }
    for (const auto& [member, own] : by_member) {
      const auto is_load = [](const OwnAccess& each) { return each.access->kind == PointerAccess::Kind::load; };
      if (!std::any_of(own.begin(), own.end(), is_load)) continue;
      const Id type = member ? module_.operand(module_.def(element), *member).word : element;
      keep_in_local(type, own);
    }
  }

  // A local variable that has what the invocation stored, for its loads.
  void keep_in_local(Id type, const std::vector<OwnAccess>& own) {
    constexpr auto kLocal = spv::StorageClass::Function;
    emitter_.write_to(edit_.locals());
    const Id local = emitter_.emit(spv::Op::OpVariable, globals_.pointer_type(kLocal, type),
                                   {spirv::lit(static_cast<std::uint32_t>(kLocal))});
    for (const OwnAccess& each : own) {
      const InstRef inst = each.access->inst;
      const bool is_store = each.access->kind == PointerAccess::Kind::store;
      const Id accessed = is_store ? module_.type_of(module_.operand(inst, 1).word) : module_[inst].type;
      emitter_.write_to(edit_.before(inst));
      const Id pointer = emitter_.chain(kLocal, accessed, local, each.indices);
      if (is_store)
        emitter_.store(pointer, module_.operand(inst, 1).word);
      else
        module_.set_operand(inst, 0, spirv::id(pointer));
    }
    changed_ = true;
  }

  bool separates(InstRef inst) const {
    switch (module_[inst].op) {
      case spv::Op::OpControlBarrier:
      case spv::Op::OpMemoryBarrier: return !seeded_fault("patch-reads-cross-barriers");
      case spv::Op::OpFunctionCall: return true;
      default: return false;
    }
  }

  void forward_patch(const std::vector<PointerAccess>& accesses) {
    std::map<InstRef, const PointerAccess*> by_inst;
    for (const PointerAccess& access : accesses) by_inst[access.inst] = &access;
    for (const spirv::Block& block : function_.blocks) {
      std::map<ConstantIndices, Id> stored;
      for (const InstRef inst : block.body) {
        if (separates(inst)) stored.clear();
        const auto found = by_inst.find(inst);
        if (found == by_inst.end()) continue;
        const std::optional<ConstantIndices> path = constant_indices(module_, found->second->indices);
        if (found->second->kind == PointerAccess::Kind::store) {
          forget_overlaps(path, stored);
          if (path) stored[*path] = module_.operand(inst, 1).word;
          continue;
        }
        if (path) replace_load(inst, *path, stored);
      }
    }
  }

  // By what the invocation stored there, or to something around it. OpCompositeExtract takes no index outside of that.
  void replace_load(InstRef load, const ConstantIndices& path, const std::map<ConstantIndices, Id>& stored) {
    for (std::size_t length = path.size() + 1; length-- > 0;) {
      const auto known = stored.find(ConstantIndices(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length)));
      if (known == stored.end()) continue;
      Id value = known->second;
      if (!spirv::has_part(module_, module_.type_of(value), std::span(path).subspan(length))) return;
      if (length < path.size()) {
        std::vector<spirv::Operand> operands = {spirv::id(value)};
        for (std::size_t i = length; i < path.size(); ++i) operands.push_back(spirv::lit(path[i]));
        emitter_.write_to(edit_.before(load));
        value = emitter_.emit(spv::Op::OpCompositeExtract, module_[load].type, operands);
      }
      edit_.replace(module_[load].result, value);
      edit_.remove(load);
      changed_ = true;
      return;
    }
  }

  // A store at an index that is not constant may go anywhere.
  static void forget_overlaps(const std::optional<ConstantIndices>& path, std::map<ConstantIndices, Id>& stored) {
    std::erase_if(stored, [&](const auto& each) {
      if (!path) return true;
      const std::size_t shared = std::min(path->size(), each.first.size());
      return std::equal(path->begin(), path->begin() + static_cast<std::ptrdiff_t>(shared), each.first.begin());
    });
  }

  Module& module_;
  const Entry& entry_;
  const spirv::Function& function_;
  spirv::Uses uses_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
  bool changed_ = false;
};

}  // namespace

bool forward_own_stores(Module& module, const Entry& entry) {
  return entry.stage == Stage::tess_control && module.functions.size() == 1 && Forwarder(module, entry).run();
}

}  // namespace varylink::varyings
