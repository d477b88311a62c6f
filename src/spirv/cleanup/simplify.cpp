#include "spirv/cleanup/simplify.h"

#include <algorithm>
#include <cstddef>
#include <utility>
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
  std::vector<std::pair<std::size_t, InstRef>> by_hash;
  by_hash.reserve(module.debug_names.size() + module.annotations.size());
  for (const auto* section : {&module.debug_names, &module.annotations})
    for (const InstRef inst : *section) {
      const spv::Op op = module[inst].op;
      const bool grouped =
          op == spv::Op::OpGroupDecorate || op == spv::Op::OpGroupMemberDecorate || op == spv::Op::OpDecorationGroup;
      if (grouped) continue;
      if (module.def(module.operand(inst, 0).word))
        by_hash.emplace_back(hash_of(module, inst), inst);
      else
        module.kill(inst);
    }
  // Values that became one must not be decorated twice. Of equal ones the first stays.
  std::ranges::stable_sort(by_hash, {}, &std::pair<std::size_t, InstRef>::first);
  for (std::size_t first = 0, end = 0; first < by_hash.size(); first = end) {
    while (end < by_hash.size() && by_hash[end].first == by_hash[first].first) ++end;
    for (std::size_t i = first; i < end; ++i)
      for (std::size_t k = first; k < i && !module.is_dead(by_hash[i].second); ++k)
        if (are_equal(module, by_hash[k].second, by_hash[i].second)) module.kill(by_hash[i].second);
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
