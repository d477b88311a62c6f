#include <vector>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "varyings/reflect/pointer_access.h"
#include "varyings/scalarize/code_forms.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

constexpr auto kStorage = spv::StorageClass::TaskPayloadWorkgroupEXT;

std::vector<Id> payload_structures(const Module& module) {
  std::vector<Id> found;
  for (const InstRef inst : module.types)
    if (module[inst].op == spv::Op::OpVariable &&
        static_cast<spv::StorageClass>(module.operand(inst, 0).word) == kStorage &&
        module.def_op(spirv::pointee_type(module, module[inst].type)) == spv::Op::OpTypeStruct)
      found.push_back(module[inst].result);
  return found;
}

class Splitter {
 public:
  Splitter(Module& module, const Entry& entry)
      : module_(module), entry_(entry), globals_(module), emitter_(module, globals_) {}

  void run(const std::vector<Id>& variables) {
    const spirv::Uses uses(module_);
    for (const Id variable : variables)
      for (const PointerAccess& access : accesses_of(module_, uses, variable).accesses) {
        const bool is_load = access.kind == PointerAccess::Kind::load;
        if (!access.indices.empty() || module_.operands(access.inst).size() != (is_load ? 1u : 2u)) continue;
        split(variable, access.inst, is_load);
      }
    edit_.apply(module_, entry_.function);
    module_.sweep();
  }

 private:
  void split(Id variable, InstRef access, bool is_load) {
    const Id type = spirv::pointee_type(module_, module_.type_of(variable));
    emitter_.write_to(edit_.before(access));
    std::vector<Id> members;
    for (std::uint32_t i = 0; i < spirv::element_count(module_, type); ++i) {
      const Id member = spirv::element_type(module_, type, i);
      const Id index[] = {globals_.uint_constant(i)};
      const Id pointer = emitter_.chain(kStorage, member, variable, index);
      if (is_load)
        members.push_back(emitter_.load(member, pointer));
      else
        emitter_.store(pointer, emitter_.extract(member, module_.operand(access, 1).word, i));
    }
    if (is_load) edit_.replace(module_[access].result, emitter_.construct(type, members));
    edit_.remove(access);
  }

  Module& module_;
  const Entry& entry_;
  spirv::Globals globals_;
  spirv::Emitter emitter_;
  spirv::CodeEdit edit_;
};

}  // namespace

void split_payload_copies(Module& module, const Entry& entry) {
  const std::vector<Id> variables = payload_structures(module);
  if (variables.empty()) return;
  split_memory_copies(module, variables);
  Splitter(module, entry).run(variables);
}

}  // namespace varylink::varyings
