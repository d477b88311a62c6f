#include "varyings/scalarize/captured_read_proxies.h"

#include <algorithm>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/emitter.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::varyings {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

bool may_have_proxy(const Module& module, const InterfaceVariable& variable) {
  if (variable.unsupported || variable.arrayed || variable.leaves.size() != 1) return false;
  const Leaf& leaf = variable.leaves.front();
  if (!leaf.path.empty() || leaf.scalar.width != 32 || leaf.patch || leaf.per_primitive) return false;
  const spirv::Uses uses(module);
  const VariableAccesses accesses = accesses_of(module, uses, variable.id);
  if (accesses.obstacle) return false;
  if (variable.direction == Direction::input) return true;
  return leaf.captured && !accesses.accesses.empty() && !leaf.invariant && leaf.stream == 0 &&
         std::all_of(accesses.accesses.begin(), accesses.accesses.end(),
                     [](const PointerAccess& access) { return access.kind == PointerAccess::Kind::store; });
}

void add_read_proxy(Module& module, Entry& entry, const InterfaceVariable& output, const Proxy& proxy) {
  spirv::Globals globals(module);
  spirv::Emitter emitter(module, globals);
  spirv::CodeEdit edit;
  const Id variable = add_interface_variable(module, globals, entry, Direction::output, output.type, proxy.name);
  spirv::decorate(module, variable, spv::Decoration::Location, proxy.location);
  if (output.leaves.front().relaxed_precision) spirv::decorate(module, variable, spv::Decoration::RelaxedPrecision);
  const spirv::Uses uses(module);
  for (const PointerAccess& access : accesses_of(module, uses, output.id).accesses) {
    emitter.write_to(edit.before(access.inst));
    const Id value = module.operand(access.inst, 1).word;
    emitter.store(emitter.chain(spv::StorageClass::Output, module.type_of(value), variable, access.indices), value);
  }
  edit.apply(module, entry.function);
}

void move_variable(Module& module, Id variable, Slot slot) {
  for (const InstRef inst : module.annotations) {
    if (module[inst].op != spv::Op::OpDecorate || module.operand(inst, 0).word != variable) continue;
    const auto decoration = static_cast<spv::Decoration>(module.operand(inst, 1).word);
    if (decoration == spv::Decoration::Location) module.set_operand(inst, 2, spirv::lit(slot.location));
    if (decoration == spv::Decoration::Component) module.kill(inst);
  }
  module.sweep();
  if (slot.component != 0) spirv::decorate(module, variable, spv::Decoration::Component, slot.component);
}

Id input_at(const Module& module, InstRef entry_point, Slot slot) {
  for (const spirv::Operand& operand : module.operands(entry_point)) {
    if (!operand.is_id || !spirv::is_variable_in(module, operand.word, spv::StorageClass::Input)) continue;
    const Decorations own = decorations_of(module, operand.word);
    if (own.value(spv::Decoration::Location) == slot.location &&
        own.value(spv::Decoration::Component).value_or(0) == slot.component)
      return operand.word;
  }
  return 0;
}

}  // namespace varylink::varyings
