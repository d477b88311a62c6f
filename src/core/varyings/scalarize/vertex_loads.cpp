#include <algorithm>
#include <vector>

#include "spirv/ir/any_instruction.h"
#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/op_info.h"
#include "varyings/scalarize/code_forms.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

bool is_per_vertex_array(const Module& module, const Entry& entry, Id variable) {
  const InstRef def = module.def(variable);
  if (!def || module[def].op != spv::Op::OpVariable) return false;
  const auto storage = static_cast<spv::StorageClass>(module.operand(def, 0).word);
  const bool read_back = storage == spv::StorageClass::Output && entry.stage == Stage::tess_control;
  const Id type = spirv::pointee_type(module, module.type_of(variable));
  const Decorations decorations = decorations_of(module, variable);
  if (entry.stage == Stage::fragment && !decorations.has(spv::Decoration::PerVertexKHR)) return false;
  return (storage == spv::StorageClass::Input || read_back) && module.def_op(type) == spv::Op::OpTypeArray &&
         array_length(module, type) && !decorations.has(spv::Decoration::Patch);
}

bool is_whole_load(const Module& module, const Entry& entry, InstRef inst) {
  if (!spirv::is_plain_load(module, inst)) return false;
  return is_per_vertex_array(module, entry, module.operand(inst, 0).word);
}

std::vector<InstRef> whole_loads(const Module& module, const Entry& entry) {
  std::vector<InstRef> found;
  if (entry.stage == Stage::vertex || entry.stage == Stage::task || entry.stage == Stage::mesh) return found;
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks)
      std::copy_if(block.body.begin(), block.body.end(), std::back_inserter(found),
                   [&](InstRef inst) { return is_whole_load(module, entry, inst); });
  return found;
}

}  // namespace

bool loads_whole_vertex_array(const Module& module, const Entry& entry) { return !whole_loads(module, entry).empty(); }

bool loads_array_of_input(const Module& module) {
  const auto is_found = [&](InstRef inst) {
    if (!spirv::is_plain_load(module, inst) || module.def_op(module[inst].type) != spv::Op::OpTypeArray) return false;
    const InstRef pointer_type = module.def(module.type_of(module.operand(inst, 0).word));
    return static_cast<spv::StorageClass>(module.operand(pointer_type, 0).word) == spv::StorageClass::Input;
  };
  return spirv::any_instruction(module, is_found);
}

void split_vertex_array_loads(Module& module, const Entry& entry) {
  const std::vector<InstRef> loads = whole_loads(module, entry);
  if (loads.empty()) return;
  spirv::Globals globals(module);
  spirv::Emitter emitter(module, globals);
  spirv::CodeEdit edit;
  for (const InstRef load : loads) {
    const Id variable = module.operand(load, 0).word;
    const auto storage = static_cast<spv::StorageClass>(module.operand(module.def(variable), 0).word);
    const Id type = module[load].type;
    const Id element = spirv::element_type(module, type);
    emitter.write_to(edit.before(load));
    std::vector<Id> vertices;
    for (std::uint32_t i = 0; i < *array_length(module, type); ++i) {
      const Id index[] = {globals.uint_constant(i)};
      vertices.push_back(emitter.load(element, emitter.chain(storage, element, variable, index)));
    }
    edit.replace(module[load].result, emitter.construct(type, vertices));
    edit.remove(load);
  }
  edit.apply(module, entry.function);
  module.sweep();
}

}  // namespace varylink::varyings
