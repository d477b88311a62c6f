#include "spirv/entry_points/extract_entry.h"

#include <algorithm>
#include <set>

#include "spirv/cleanup/simplify.h"
#include "spirv/ir/call_tree.h"
#include "spirv/ir/debug_records.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

using Ids = std::set<Id>;

Ids entry_functions(const Module& module, const std::vector<InstRef>& entries) {
  Ids functions;
  for (const InstRef entry : entries) functions.insert(module.operand(entry, 1).word);
  return functions;
}

// Ids that the remaining functions, and the entry points themselves, name.
Ids named_ids(const Module& module, const std::vector<InstRef>& entries) {
  Ids named;
  const auto add = [&](InstRef inst) {
    for (const Operand& operand : module.operands(inst))
      if (operand.is_id) named.insert(operand.word);
  };
  for (const InstRef entry : entries) add(entry);
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body)
        if (!is_debug_inst(module, inst)) add(inst);
  return named;
}

// Specialization constants that nothing uses but other entry points. A size of workgroups counts without a use.
void remove_unused_spec_constants(Module& module) {
  const Uses uses(module);
  Ids named;
  for (const InstRef mode : module.execution_modes)
    for (const Operand& operand : module.operands(mode))
      if (operand.is_id) named.insert(operand.word);
  for (const InstRef inst : module.annotations)
    if (module[inst].op == spv::Op::OpDecorate &&
        static_cast<spv::Decoration>(module.operand(inst, 1).word) == spv::Decoration::BuiltIn)
      named.insert(module.operand(inst, 0).word);
  for (auto inst = module.types.rbegin(); inst != module.types.rend(); ++inst) {  // users before what they use
    const Id constant = module[*inst].result;
    const auto users = uses.of(constant);
    if (is_spec_constant(module[*inst].op) && !named.contains(constant) &&
        std::ranges::all_of(users, [&](InstRef user) { return module.is_dead(user); }))
      module.kill(*inst);
  }
}

}  // namespace

void keep_only_entries(Module& module, const std::vector<InstRef>& kept) {
  const Ids entries = entry_functions(module, kept);
  module.entry_points = kept;
  std::erase_if(module.execution_modes, [&](InstRef inst) { return entries.count(module.operand(inst, 0).word) == 0; });
  remove_uncalled_functions(module);
  const Ids named = named_ids(module, kept);
  for (const InstRef inst : module.types)
    if (module[inst].op == spv::Op::OpVariable && named.count(module[inst].result) == 0) module.kill(inst);
  remove_unused_spec_constants(module);
  remove_debug_of_removed(module);
  module.sweep();
  remove_dangling_annotations(module);
}

}  // namespace varylink::spirv
