#include "varyings/reflect/output_owner.h"

#include <algorithm>

#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using Kind = PointerAccess::Kind;

// The variable that an index was loaded from, 0 if it is something else.
Id loaded_from(const Module& module, Id index) {
  InstRef def = module.def(index);
  while (def && (module[def].op == spv::Op::OpBitcast || module[def].op == spv::Op::OpCopyObject))
    def = module.def(module.operand(def, 0).word);
  return def && module[def].op == spv::Op::OpLoad ? module.operand(def, 0).word : 0;
}

bool stores_to_own_vertex(const Module& module, const PointerAccess& access) {
  return access.kind != Kind::store || (!access.indices.empty() && is_own_invocation(module, access.indices.front()));
}

}  // namespace

bool has_private_outputs(Stage stage) {
  return stage != Stage::tess_control && stage != Stage::mesh && stage != Stage::task;
}

bool is_own_invocation(const Module& module, Id index) {
  const Id variable = loaded_from(module, index);
  return variable != 0 && decorations_of(module, variable).value(spv::Decoration::BuiltIn) ==
                              static_cast<std::uint32_t>(spv::BuiltIn::InvocationId);
}

bool has_one_owner(const Module& module, Stage stage, bool is_per_vertex, const VariableAccesses& accesses) {
  if (has_private_outputs(stage)) return true;
  return stage == Stage::tess_control && is_per_vertex && !accesses.obstacle &&
         std::all_of(accesses.accesses.begin(), accesses.accesses.end(),
                     [&](const PointerAccess& access) { return stores_to_own_vertex(module, access); });
}

Id invocation_of_stores(const Module& module, const VariableAccesses& accesses) {
  const bool is_only_stored =
      !accesses.accesses.empty() && std::all_of(accesses.accesses.begin(), accesses.accesses.end(),
                                                [](const PointerAccess& access) { return access.kind == Kind::store; });
  if (!is_only_stored || !has_one_owner(module, Stage::tess_control, true, accesses)) return 0;
  return loaded_from(module, accesses.accesses.front().indices.front());
}

}  // namespace varylink::varyings
