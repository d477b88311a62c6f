#include "spirv/ir/phi_choice.h"

#include <utility>

#include "base/seeded_fault.h"

namespace varylink::spirv {

std::optional<PhiChoice> choice_of(const Module& module, const Function& function, const Cfg& cfg, std::uint32_t block,
                                   InstRef phi) {
  const auto ways = module.operands(phi);
  const std::uint32_t decides = cfg.reachable(block) ? cfg.immediate_dominator(block) : Cfg::kNone;
  if (ways.size() != 4 || decides == Cfg::kNone) return std::nullopt;
  const InstRef branch = function.blocks[decides].body.back();
  if (module[branch].op != spv::Op::OpBranchConditional) return std::nullopt;
  const std::uint32_t sides[2] = {cfg.block_of(module.operand(branch, 1).word),
                                  cfg.block_of(module.operand(branch, 2).word)};
  // Only from the branch one gets to that side, and only through that side to what it dominates.
  const auto comes_from = [&](std::uint32_t parent, std::uint32_t side) {
    if (parent == decides) return side == block;
    return side != block && cfg.predecessors(side).size() == 1 && cfg.dominates(side, parent);
  };
  PhiChoice choice;
  choice.condition = module.operand(branch, 0).word;
  for (std::size_t i = 0; i < 4; i += 2) {
    const std::uint32_t parent = cfg.block_of(ways[i + 1].word);
    if (parent == Cfg::kNone || !cfg.reachable(parent)) return std::nullopt;
    if (comes_from(parent, sides[0])) choice.if_true = ways[i].word;
    if (comes_from(parent, sides[1])) choice.if_false = ways[i].word;
  }
  if (sides[0] == sides[1] || choice.if_true == 0 || choice.if_false == 0) return std::nullopt;
  if (seeded_fault("phi-swaps-sides")) std::swap(choice.if_true, choice.if_false);
  return choice;
}

}  // namespace varylink::spirv
