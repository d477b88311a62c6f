#include "specialize_state/one_sample.h"

#include <algorithm>
#include <set>

#include "spirv/ir/globals.h"

namespace varylink::specialize_state {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

// The variables of the entry point, and the types that their members' decorations stand on.
std::set<Id> decorated_by_interface(const Module& module, const varyings::Entry& entry) {
  std::set<Id> targets;
  for (const Id variable : entry.interface) {
    const InstRef def = module.def(variable);
    if (!def || module[def].op != spv::Op::OpVariable) continue;
    const auto storage = static_cast<spv::StorageClass>(module.operand(def, 0).word);
    if (storage != spv::StorageClass::Input && storage != spv::StorageClass::Output) continue;
    targets.insert(variable);
    const Id type = spirv::type_without_arrays(module, spirv::pointee_type(module, module.type_of(variable)));
    if (module.def_op(type) == spv::Op::OpTypeStruct) targets.insert(type);
  }
  return targets;
}

}  // namespace

bool drop_sample_qualifiers(Module& module, const varyings::Entry& entry) {
  const std::set<Id> targets = decorated_by_interface(module, entry);
  bool found = false;
  for (const InstRef inst : module.annotations) {
    const spv::Op op = module[inst].op;
    if (op != spv::Op::OpDecorate && op != spv::Op::OpMemberDecorate) continue;
    const std::uint32_t position = op == spv::Op::OpDecorate ? 1 : 2;
    const auto decoration = static_cast<spv::Decoration>(module.operand(inst, position).word);
    if (decoration != spv::Decoration::Centroid && decoration != spv::Decoration::Sample) continue;
    if (targets.count(module.operand(inst, 0).word) == 0) continue;
    module.kill(inst);
    found = true;
  }
  module.sweep();
  return found;
}

}  // namespace varylink::specialize_state
