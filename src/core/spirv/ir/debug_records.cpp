#include "spirv/ir/debug_records.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include <algorithm>
#include <map>
#include <vector>

#include "spirv/ir/globals.h"
#include "spirv/ir/literal_text.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {

std::optional<std::uint32_t> debug_number(const Module& module, InstRef inst) {
  if (module[inst].op != spv::Op::OpExtInst) return std::nullopt;
  const InstRef import = module.def(module.operand(inst, 0).word);
  if (!import) return std::nullopt;
  const auto name = module.operands(import);
  if (!is_text(name, "NonSemantic.Shader.DebugInfo.100") && !is_text(name, "OpenCL.DebugInfo.100")) return std::nullopt;
  return module.operand(inst, 1).word;
}

bool has_indexed_declarations(const Module& module, InstRef inst) {
  const InstRef import = module.def(module.operand(inst, 0).word);
  return import && is_text(module.operands(import), "NonSemantic.Shader.DebugInfo.100");
}

bool keep_declaration(Module& module, InstRef inst) {
  if (debug_number(module, inst) != NonSemanticShaderDebugInfo100DebugDeclare) return true;
  const Id declared = module.operand(inst, kDebugValue).word;
  const spv::Op op = module.def_op(declared);
  if (op == spv::Op::OpVariable || op == spv::Op::OpFunctionParameter) return true;
  if (module.def_op(module.type_of(declared)) == spv::Op::OpTypePointer) {
    module.kill(inst);
    return false;
  }
  module.set_operand(inst, 1, lit(NonSemanticShaderDebugInfo100DebugValue));
  return true;
}

namespace {

// DebugValue whose value is gone says that it is undefined, if another one says what it is elsewhere; of those that
// only say so none is left.
void forget_values(Module& module, const Function& function) {
  std::map<Id, Id> known;  // types of values, by variable of the source
  std::vector<InstRef> unknown;
  for (const Block& block : function.blocks)
    for (const InstRef inst : block.body) {
      if (debug_number(module, inst) != NonSemanticShaderDebugInfo100DebugValue) continue;
      const Id value = module.operand(inst, kDebugValue).word;
      if (module.def(value) && module.def_op(value) != spv::Op::OpUndef)
        known.emplace(module.operand(inst, kDebugVariable).word, module.type_of(value));
      else
        unknown.push_back(inst);
    }
  for (const InstRef inst : unknown) {
    const auto type = known.find(module.operand(inst, kDebugVariable).word);
    if (type == known.end())
      module.kill(inst);
    else if (!module.def(module.operand(inst, kDebugValue).word))
      module.set_operand(inst, kDebugValue, id(Globals(module).undef(type->second)));
  }
}

}  // namespace

void remove_debug_of_removed(Module& module) {
  const auto is_of_code = [&](InstRef import) { return is_text(module.operands(import), "GLSL.std.450"); };
  if (std::all_of(module.imports.begin(), module.imports.end(), is_of_code)) return;
  for (const Function& function : module.functions) forget_values(module, function);
  bool changed = false;
  const auto visit = [&](InstRef inst) {
    if (module.is_dead(inst) || !is_debug_inst(module, inst)) return;
    const auto operands = module.operands(inst);
    if (std::all_of(operands.begin(), operands.end(),
                    [&](const Operand& operand) { return !operand.is_id || module.def(operand.word); }))
      return;
    module.kill(inst);
    changed = true;
  };
  do {
    changed = false;
    for (const InstRef inst : module.types) visit(inst);
    for (const Function& function : module.functions)
      for (const Block& block : function.blocks)
        for (const InstRef inst : block.body) visit(inst);
  } while (changed);
}

}  // namespace varylink::spirv
