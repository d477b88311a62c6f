#include "spirv/ir/code_edit.h"

#include <algorithm>

#include "spirv/ir/value_decorations.h"

namespace varylink::spirv {

using spirv::InstRef;
using spirv::Module;

void put_phis_first(const Module& module, std::vector<InstRef>& body) {
  const auto is_phi = [&](InstRef inst) { return module[inst].op == spv::Op::OpPhi; };
  if (!std::is_partitioned(body.begin(), body.end(), is_phi)) std::stable_partition(body.begin(), body.end(), is_phi);
}

void CodeEdit::apply(Module& module, spirv::Id entry_function) {
  for (spirv::Function& function : module.functions)
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      rebuild(module, function.blocks[b].body, function.result == entry_function && b == 0);
  for (const InstRef inst : dead_) module.kill(inst);
  if (replacements_.empty()) return;
  for (const spirv::Function& function : module.functions)
    for (const spirv::Block& block : function.blocks)
      for (const InstRef inst : block.body) replace_in(module, inst);
  replace_in_annotations(module);
}

// Values that code of this edit uses, such as one load that serves several computations.
std::set<spirv::Id> CodeEdit::used_by_new_code(const Module& module) const {
  std::set<spirv::Id> used;
  const auto add = [&](InstRef inst) {
    for (const spirv::Operand& operand : module.operands(inst))
      if (operand.is_id) used.insert(operand.word);
  };
  for (const InstRef inst : start_) add(inst);
  for (const auto& [place, code] : before_) std::for_each(code.begin(), code.end(), add);
  return used;
}

void CodeEdit::replace_in_annotations(Module& module) const {
  using Permission = std::pair<spirv::Id, std::uint32_t>;  // new value, decoration
  std::map<Permission, std::set<spirv::Id>> permitted;     // old values that have it
  std::map<spirv::Id, std::size_t> replaced;               // how many values a new one takes the place of
  std::vector<std::pair<Permission, InstRef>> permissions;
  for (const auto& [old_value, new_value] : replacements_) ++replaced[new_value];
  for (const InstRef inst : module.annotations) {
    const auto operands = module.operands(inst);
    const auto found = operands.size() < 2 ? replacements_.end() : replacements_.find(operands[0].word);
    const bool permits =
        found != replacements_.end() && module[inst].op == spv::Op::OpDecorate &&
        spirv::merge_rule(static_cast<spv::Decoration>(operands[1].word)) == spirv::MergeRule::permission;
    if (!permits) {
      replace_in(module, inst);
      continue;
    }
    permissions.emplace_back(Permission{found->second, operands[1].word}, inst);
    permitted[permissions.back().first].insert(operands[0].word);
  }
  if (permissions.empty()) return;
  const std::set<spirv::Id> used = used_by_new_code(module);
  for (const auto& [permission, inst] : permissions) {
    const bool by_all = permitted.at(permission).size() == replaced.at(permission.first);
    if (by_all && used.count(permission.first) == 0)
      replace_in(module, inst);
    else
      module.kill(inst);
  }
  std::erase_if(module.annotations, [&](InstRef inst) { return module.is_dead(inst); });
}

void CodeEdit::rebuild(const Module& module, std::vector<InstRef>& body, bool is_start) const {
  std::vector<InstRef> result;
  std::size_t variables_end = 0;  // all variables of a function stand at the front of its first block
  if (is_start) {
    result = locals_;
    for (std::size_t i = 0; i < body.size(); ++i)
      if (module[body[i]].op == spv::Op::OpVariable) variables_end = i + 1;
  }
  for (std::size_t i = 0; i <= body.size(); ++i) {
    if (is_start && i == variables_end) result.insert(result.end(), start_.begin(), start_.end());
    if (i == body.size()) break;
    if (const auto found = before_.find(body[i]); found != before_.end())
      result.insert(result.end(), found->second.begin(), found->second.end());
    result.push_back(body[i]);
  }
  body = std::move(result);
  put_phis_first(module, body);
}

void CodeEdit::replace_in(Module& module, InstRef inst) const {
  const auto operands = module.operands(inst);
  for (std::uint32_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].is_id) continue;
    const auto found = replacements_.find(operands[i].word);
    if (found != replacements_.end()) module.set_operand(inst, i, spirv::id(found->second));
  }
}

}  // namespace varylink::spirv
