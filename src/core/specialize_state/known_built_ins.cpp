#include "specialize_state/known_built_ins.h"

#include <bit>
#include <vector>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::specialize_state {

using spirv::Id;
using spirv::InstRef;

std::optional<std::uint32_t> only_view(std::uint32_t view_mask) {
  if (view_mask == 0) return 0;
  if (std::popcount(view_mask) != 1) return std::nullopt;
  return static_cast<std::uint32_t>(std::countr_zero(view_mask));
}

namespace {

// Variables of the entry point that are the built-in, as one integer of 32 bits.
std::vector<Id> integers_of(const spirv::Module& module, const varyings::Entry& entry, spv::BuiltIn built_in) {
  std::vector<Id> variables;
  for (const Id variable : entry.interface) {
    const auto given = varyings::decorations_of(module, variable).value(spv::Decoration::BuiltIn);
    if (given != static_cast<std::uint32_t>(built_in)) continue;
    const Id type = spirv::pointee_type(module, module.type_of(variable));
    if (module.def_op(type) == spv::Op::OpTypeInt && module.operand(module.def(type), 0).word == 32)
      variables.push_back(variable);
  }
  return variables;
}

}  // namespace

bool set_built_in(spirv::Module& module, const varyings::Entry& entry, spv::BuiltIn built_in, std::uint32_t value) {
  const std::vector<Id> variables = integers_of(module, entry, built_in);
  if (variables.empty()) return false;
  const spirv::Uses uses(module);
  spirv::Globals globals(module);
  spirv::CodeEdit edit;
  bool found = false;
  for (const Id variable : variables) {
    const Id type = spirv::pointee_type(module, module.type_of(variable));
    for (const auto& access : varyings::accesses_of(module, uses, variable).accesses) {
      if (access.kind != varyings::PointerAccess::Kind::load) continue;
      edit.replace(module[access.inst].result, globals.scalar_constant(type, {value}));
      edit.remove(access.inst);
      found = true;
    }
  }
  if (found) edit.apply(module, entry.function);
  return found;
}

}  // namespace varylink::specialize_state
