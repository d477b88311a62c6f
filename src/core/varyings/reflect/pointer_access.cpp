#include "varyings/reflect/pointer_access.h"

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/memory_operands.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/pointer_path.h"
#include "varyings/reflect/interpolate_at.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spirv::Operand;

// Memory operands with the Volatile bit (SPIR-V 3.26) forbid merging or removing the access.
bool is_volatile(const Module& module, InstRef inst, std::uint32_t position) {
  return (module.operand(inst, position).word & static_cast<std::uint32_t>(spv::MemoryAccessMask::Volatile)) != 0;
}

class Collector {
 public:
  Collector(const Module& module, const spirv::Uses& uses) : module_(module), uses_(uses) {}

  void collect(Id pointer, const std::vector<Id>& indices) {
    for (const InstRef user : uses_.of(pointer)) {
      if (result.obstacle) return;
      visit(user, pointer, indices);
    }
  }

  VariableAccesses result;

 private:
  void visit(InstRef user, Id pointer, const std::vector<Id>& indices) {
    const spirv::Inst& record = module_[user];
    if (spirv::is_access_chain(record.op)) return follow_chain(user, indices);
    switch (record.op) {
      case spv::Op::OpCopyObject: result.chains.push_back(user); return collect(record.result, indices);
      case spv::Op::OpLoad:
        if (is_volatile(module_, user, 1)) return refuse("it is loaded as volatile");
        result.accesses.push_back({PointerAccess::Kind::load, user, indices});
        return;
      case spv::Op::OpStore:
        if (module_.operand(user, 0).word != pointer) return refuse("a pointer to it is stored");
        if (is_volatile(module_, user, 2)) return refuse("it is stored as volatile");
        result.accesses.push_back({PointerAccess::Kind::store, user, indices});
        return;
      case spv::Op::OpEmitMeshTasksEXT: return;  // hands the payload on as it is
      case spv::Op::OpFunctionCall: return refuse("a pointer to it is passed to a function that cannot be inlined");
      case spv::Op::OpCopyMemory: return refuse("it is copied with memory operands");
      default:
        if (!is_interpolate_at(module_, user)) return refuse("it is used by an instruction that is not understood");
        result.accesses.push_back({PointerAccess::Kind::interpolate, user, indices});
    }
  }

  void follow_chain(InstRef chain, const std::vector<Id>& indices) {
    result.chains.push_back(chain);
    std::vector<Id> longer = indices;
    const auto operands = module_.operands(chain);
    for (std::size_t i = 1; i < operands.size(); ++i) longer.push_back(operands[i].word);
    collect(module_[chain].result, longer);
  }

  void refuse(const char* why) {
    if (!result.obstacle) result.obstacle = why;
  }

  const Module& module_;
  const spirv::Uses& uses_;
};

}  // namespace

bool has_memory_operands(const Module& module, const PointerAccess& access) {
  return access.kind != PointerAccess::Kind::interpolate && spirv::has_memory_operands(module, access.inst);
}

bool is_plain_access(const Module& module, const PointerAccess& access) {
  return access.kind != PointerAccess::Kind::interpolate && !has_memory_operands(module, access);
}

VariableAccesses accesses_of(const Module& module, const spirv::Uses& uses, Id variable) {
  Collector collector(module, uses);
  if (spirv::is_variable_in(module, variable, spv::StorageClass::Output) && spirv::has_initializer(module, variable) &&
      !seeded_fault("shared-initializers-are-forgotten"))
    collector.result.obstacle = "it has an initializer that several invocations share";
  else
    collector.collect(variable, {});
  return std::move(collector.result);
}

bool is_read_between(const VariableAccesses& accesses, const std::vector<spirv::Place>& places, InstRef one,
                     InstRef other) {
  const spirv::Place &from = places[one.index], &to = places[other.index];
  return accesses.obstacle ||
         std::any_of(accesses.accesses.begin(), accesses.accesses.end(), [&](const PointerAccess& access) {
           const spirv::Place& read = places[access.inst.index];
           return access.kind != PointerAccess::Kind::store && read.function == from.function &&
                  read.block == from.block && (read.index > from.index) != (read.index > to.index);
         });
}

void split_memory_copies(Module& module, const std::vector<Id>& variables) {
  const auto touches = [&](Id pointer) {
    return std::find(variables.begin(), variables.end(), spirv::root_of(module, pointer)) != variables.end();
  };
  for (spirv::Function& function : module.functions)
    for (spirv::Block& block : function.blocks)
      for (std::size_t i = 0; i < block.body.size(); ++i) {
        const InstRef copy = block.body[i];
        if (module[copy].op != spv::Op::OpCopyMemory || spirv::has_memory_operands(module, copy)) continue;
        const Id target = module.operand(copy, 0).word;
        const Id source = module.operand(copy, 1).word;
        if (!touches(target) && !touches(source)) continue;
        const Id type = spirv::pointee_type(module, module.type_of(source));
        const Id value = module.new_id();
        const InstRef load = module.create(spv::Op::OpLoad, type, value, {spirv::id(source)});
        block.body.insert(block.body.begin() + static_cast<std::ptrdiff_t>(i), load);
        module.rewrite(copy, spv::Op::OpStore, {spirv::id(target), spirv::id(value)});
      }
}

}  // namespace varylink::varyings
