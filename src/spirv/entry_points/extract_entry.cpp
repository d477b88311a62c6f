#include "spirv/entry_points/extract_entry.h"

#include <algorithm>
#include <set>

#include "spirv/cleanup/simplify.h"
#include "spirv/ir/call_tree.h"
#include "spirv/ir/debug_records.h"
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

}  // namespace

void keep_only_entries(Module& module, const std::vector<InstRef>& kept) {
  const Ids entries = entry_functions(module, kept);
  module.entry_points = kept;
  std::erase_if(module.execution_modes, [&](InstRef inst) { return entries.count(module.operand(inst, 0).word) == 0; });
  remove_uncalled_functions(module);
  const Ids named = named_ids(module, kept);
  for (const InstRef inst : module.types)
    if (module[inst].op == spv::Op::OpVariable && named.count(module[inst].result) == 0) module.kill(inst);
  remove_debug_of_removed(module);
  module.sweep();
  remove_dangling_annotations(module);
}

}  // namespace varylink::spirv
