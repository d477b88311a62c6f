#include "spirv/simplify.h"

#include <set>
#include <vector>

namespace varylink::spirv {

void remove_dangling_annotations(Module& module) {
  std::set<std::vector<std::uint32_t>> seen;  // values that became one must not be decorated twice
  for (const auto* section : {&module.debug_names, &module.annotations})
    for (const InstRef inst : *section) {
      const spv::Op op = module[inst].op;
      const bool grouped =
          op == spv::Op::OpGroupDecorate || op == spv::Op::OpGroupMemberDecorate || op == spv::Op::OpDecorationGroup;
      if (grouped) continue;
      std::vector<std::uint32_t> key = {static_cast<std::uint32_t>(op)};
      for (const Operand& operand : module.operands(inst)) key.push_back(operand.word);
      if (!module.def(module.operand(inst, 0).word) || !seen.insert(std::move(key)).second) module.kill(inst);
    }
  module.sweep();
}

bool simplify(Module& module) {
  bool changed = false;
  for (bool again = true; again;) {
    again = fold_composites(module);
    again = remove_dead_components(module) || again;
    changed = changed || again;
  }
  if (changed) remove_dangling_annotations(module);
  return changed;
}

}  // namespace varylink::spirv
