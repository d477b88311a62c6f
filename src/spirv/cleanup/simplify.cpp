#include "spirv/cleanup/simplify.h"

#include <algorithm>
#include <unordered_set>

namespace varylink::spirv {

void remove_dangling_annotations(Module& module) {
  const auto hash_of = [&](InstRef inst) {
    std::size_t hash = static_cast<std::size_t>(module[inst].op);
    for (const Operand& operand : module.operands(inst)) hash = hash * 0x9e3779b1u + operand.word;
    return hash;
  };
  const auto are_equal = [&](InstRef a, InstRef b) {
    return module[a].op == module[b].op && std::ranges::equal(module.operands(a), module.operands(b));
  };
  // Values that became one must not be decorated twice.
  std::unordered_set<InstRef, decltype(hash_of), decltype(are_equal)> seen(64, hash_of, are_equal);
  for (const auto* section : {&module.debug_names, &module.annotations})
    for (const InstRef inst : *section) {
      const spv::Op op = module[inst].op;
      const bool grouped =
          op == spv::Op::OpGroupDecorate || op == spv::Op::OpGroupMemberDecorate || op == spv::Op::OpDecorationGroup;
      if (grouped) continue;
      if (!module.def(module.operand(inst, 0).word) || !seen.insert(inst).second) module.kill(inst);
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
