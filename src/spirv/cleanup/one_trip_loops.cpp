#include "spirv/cleanup/one_trip_loops.h"

#include <algorithm>
#include <optional>

#include "spirv/ir/cfg.h"

namespace varylink::spirv {
namespace {

struct OneTrip {
  std::uint32_t header = 0, last = 0;  // blocks; `last` is the continue target
  InstRef merge;                       // OpLoopMerge
};

// Where a block with a conditional branch on a constant goes; 0 for any other block.
Id decided_target(const Module& module, const Block& block) {
  const InstRef end = block.body.back();
  if (module[end].op != spv::Op::OpBranchConditional) return 0;
  const spv::Op condition = module.def_op(module.operand(end, 0).word);
  if (condition == spv::Op::OpConstantTrue) return module.operand(end, 1).word;
  return condition == spv::Op::OpConstantFalse ? module.operand(end, 2).word : 0;
}

// What stands in front of the loop and `last` are the only ways into the header, and `last` the only one out.
std::optional<OneTrip> find_one_trip(const Module& module, const Function& function, const Cfg& cfg,
                                     std::uint32_t header) {
  const InstRef merge = loop_merge(module, function.blocks[header]);
  if (!merge || !cfg.reachable(header)) return std::nullopt;
  const std::uint32_t end = cfg.block_of(module.operand(merge, 0).word);
  const std::uint32_t last = cfg.block_of(module.operand(merge, 1).word);
  if (last == Cfg::kNone || end == Cfg::kNone || !cfg.reachable(last)) return std::nullopt;
  if (decided_target(module, function.blocks[last]) != module.operand(merge, 0).word) return std::nullopt;
  const bool starts_plainly = last == header || module[function.blocks[header].body.back()].op == spv::Op::OpBranch;
  const auto only = [&](std::uint32_t block) { return cfg.predecessors(block).size() == 1; };
  if (!starts_plainly || !only(end) || (last != header && !only(last))) return std::nullopt;
  // A conditional branch to `last` would be a continue, which takes the place of a merge instruction.
  if (last != header && module[function.blocks[cfg.predecessors(last).front()].body.back()].op != spv::Op::OpBranch)
    return std::nullopt;
  return OneTrip{header, last, merge};
}

void open(Module& module, Function& function, const OneTrip& loop, Id last_label) {
  Block& last = function.blocks[loop.last];
  const Id end_label = module.operand(loop.merge, 0).word;
  module.rewrite(last.body.back(), spv::Op::OpBranch, {id(end_label)});
  module.kill(loop.merge);
  for (const InstRef inst : function.blocks[loop.header].body) {
    if (module[inst].op != spv::Op::OpPhi) continue;
    std::vector<Operand> left;
    const auto operands = module.operands(inst);
    for (std::size_t i = 0; i + 1 < operands.size(); i += 2)
      if (operands[i + 1].word != last_label) left.insert(left.end(), {operands[i], operands[i + 1]});
    module.rewrite(inst, spv::Op::OpPhi, left);
  }
}

}  // namespace

bool open_one_trip_loops(Module& module) {
  bool changed = false;
  for (Function& function : module.functions) {
    const Cfg cfg(module, function);
    for (std::uint32_t header = 0; header < function.blocks.size(); ++header)
      if (const auto loop = find_one_trip(module, function, cfg, header)) {
        open(module, function, *loop, function.blocks[loop->last].label);
        changed = true;
      }
  }
  if (changed) module.sweep();
  return changed;
}

}  // namespace varylink::spirv
