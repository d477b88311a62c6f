#include "spirv/ir/decoration_groups.h"

#include <map>

#include "spirv/ir/op_info.h"

namespace varylink::spirv {
namespace {

using Groups = std::map<Id, std::vector<InstRef>>;  // group -> the decorations on it

Groups groups_of(const Module& module) {
  Groups groups;
  for (const InstRef inst : module.annotations)
    if (module[inst].op == spv::Op::OpDecorationGroup) groups[module[inst].result];
  for (const InstRef inst : module.annotations) {
    if (!decorates_id(module[inst].op)) continue;
    if (const auto group = groups.find(module.operand(inst, 0).word); group != groups.end())
      group->second.push_back(inst);
  }
  return groups;
}

// The decoration with another target; a member decoration if `member` is an operand.
InstRef copy_for(Module& module, InstRef decoration, Operand target, const Operand* member) {
  const spv::Op op = module[decoration].op;
  std::vector<Operand> operands = {target};
  if (member) operands.push_back(*member);
  for (const Operand& operand : module.operands(decoration).subspan(1)) operands.push_back(operand);
  if (!member) return module.create(op, 0, 0, operands);
  const spv::Op member_op =
      op == spv::Op::OpDecorateString ? spv::Op::OpMemberDecorateString : spv::Op::OpMemberDecorate;
  return module.create(member_op, 0, 0, operands);
}

}  // namespace

void expand_decoration_groups(Module& module) {
  const Groups groups = groups_of(module);
  if (groups.empty()) return;
  std::vector<InstRef> expanded;
  for (const InstRef inst : module.annotations) {
    const spv::Op op = module[inst].op;
    const bool members = op == spv::Op::OpGroupMemberDecorate;
    if (op != spv::Op::OpGroupDecorate && !members) {
      expanded.push_back(inst);
      continue;
    }
    const auto group = groups.find(module.operand(inst, 0).word);
    const std::uint32_t step = members ? 2 : 1;
    for (std::uint32_t at = 1; group != groups.end() && at + step <= module[inst].operand_count; at += step) {
      const Operand target = module.operand(inst, at);
      const Operand member = members ? module.operand(inst, at + 1) : Operand{};
      for (const InstRef decoration : group->second)
        expanded.push_back(copy_for(module, decoration, target, members ? &member : nullptr));
    }
    module.kill(inst);
  }
  module.annotations = std::move(expanded);
  for (const auto& [group, decorations] : groups) {
    for (const InstRef decoration : decorations) module.kill(decoration);
    for (const InstRef inst : module.debug_names)
      if (module[inst].op == spv::Op::OpName && module.operand(inst, 0).word == group) module.kill(inst);
    module.kill(module.def(group));
  }
  module.sweep();
}

}  // namespace varylink::spirv
