#include <algorithm>
#include <optional>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/cfg.h"

namespace varylink::spirv {
namespace {

// A loop whose continue target is one block, entered from a conditional branch alone.
struct BodylessLoop {
  std::uint32_t header = 0, target = 0;  // blocks
  InstRef merge;                         // OpLoopMerge
};

std::optional<BodylessLoop> find_bodyless_loop(const Module& module, const Function& function, const Cfg& cfg,
                                               std::uint32_t header) {
  const InstRef merge = loop_merge(module, function.blocks[header]);
  if (!merge || !cfg.reachable(header)) return std::nullopt;
  const std::uint32_t target = cfg.block_of(module.operand(merge, 1).word);
  if (target == Cfg::kNone || target == header || !cfg.reachable(target)) return std::nullopt;

  const std::vector<InstRef>& code = function.blocks[target].body;
  if (code.size() < 2 || module[code.back()].op != spv::Op::OpBranch) return std::nullopt;
  if (module.operand(code.back(), 0).word != function.blocks[header].label) return std::nullopt;
  // With several ways in, `continue` statements lead there, and only a continue target may be entered by them.
  if (cfg.predecessors(target).size() != 1) return std::nullopt;
  const Block& before = function.blocks[cfg.predecessors(target).front()];
  if (module[before.body.back()].op == spv::Op::OpBranch) return std::nullopt;
  return BodylessLoop{header, target, merge};
}

void restore_body(Module& module, Function& function, const BodylessLoop& loop) {
  const Block& header = function.blocks[loop.header];
  const Id old_target = function.blocks[loop.target].label, new_target = module.new_id();
  const auto redirect = [&](InstRef inst) {
    const auto span = module.operands(inst);
    std::vector<Operand> operands(span.begin(), span.end());
    for (Operand& operand : operands)
      if (operand.is_id && operand.word == old_target) operand.word = new_target;
    module.rewrite(inst, module[inst].op, operands);
  };
  redirect(loop.merge);
  for (const InstRef inst : header.body)
    if (module[inst].op == spv::Op::OpPhi) redirect(inst);

  Block back;
  back.label = new_target;
  back.head = {module.create(spv::Op::OpLabel, 0, new_target, {})};
  back.body = {module.create(spv::Op::OpBranch, 0, 0, {id(header.label)})};
  module.rewrite(function.blocks[loop.target].body.back(), spv::Op::OpBranch, {id(new_target)});
  function.blocks.insert(function.blocks.begin() + loop.target + 1, std::move(back));
}

bool restore_loop_bodies(Module& module, Function& function) {
  const Cfg cfg(module, function);
  std::vector<BodylessLoop> loops;
  for (std::uint32_t header = 0; header < function.blocks.size(); ++header)
    if (const auto loop = find_bodyless_loop(module, function, cfg, header)) loops.push_back(*loop);
  // Later blocks first: the others keep their numbers.
  std::sort(loops.begin(), loops.end(), [](const auto& a, const auto& b) { return a.target > b.target; });
  for (const BodylessLoop& loop : loops) restore_body(module, function, loop);
  return !loops.empty();
}

}  // namespace

bool restore_loop_bodies(Module& module) {
  bool changed = false;
  for (Function& function : module.functions) changed |= restore_loop_bodies(module, function);
  return changed;
}

}  // namespace varylink::spirv
