#include "spirv/cleanup/simplify.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace varylink::spirv {

namespace {

std::size_t hash_of(const Module& module, InstRef inst) {
  std::size_t hash = static_cast<std::size_t>(module[inst].op);
  for (const Operand& operand : module.operands(inst)) hash = hash * 0x9e3779b1u + operand.word;
  return hash;
}

bool are_equal(const Module& module, InstRef a, InstRef b) {
  return module[a].op == module[b].op && std::ranges::equal(module.operands(a), module.operands(b));
}

}  // namespace

void remove_dangling_annotations(Module& module) {
  // Values that became one must not be decorated twice. Of equal ones the first stays.
  const std::size_t count = module.debug_names.size() + module.annotations.size();
  std::vector<InstRef> seen(std::bit_ceil(2 * count + 1));  // by hash; equal hashes follow each other
  for (const auto* section : {&module.debug_names, &module.annotations})
    for (const InstRef inst : *section) {
      const spv::Op op = module[inst].op;
      const bool grouped =
          op == spv::Op::OpGroupDecorate || op == spv::Op::OpGroupMemberDecorate || op == spv::Op::OpDecorationGroup;
      if (grouped) continue;
      if (!module.def(module.operand(inst, 0).word)) {
        module.kill(inst);
        continue;
      }
      std::size_t place = hash_of(module, inst) & (seen.size() - 1);
      while (seen[place] && !are_equal(module, seen[place], inst)) place = (place + 1) & (seen.size() - 1);
      if (seen[place])
        module.kill(inst);
      else
        seen[place] = inst;
    }
  module.sweep();
}

bool simplify(Module& module) {
  bool changed = false;
  while (true) {
    const bool folded = fold_composites(module);
    if (!folded && changed) break;  // dead components are gone after one removal
    if (!remove_dead_components(module) && !folded) break;
    changed = true;
  }
  if (changed) remove_dangling_annotations(module);
  return changed;
}

}  // namespace varylink::spirv
