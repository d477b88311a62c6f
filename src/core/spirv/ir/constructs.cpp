#include "spirv/ir/constructs.h"

#include <algorithm>
#include <array>
#include <optional>

namespace varylink::spirv {
namespace {

using spv::Op;

std::optional<bool> constant_condition(const Module& module, Id condition) {
  bool negated = false;
  for (; module.def_op(condition) == Op::OpLogicalNot; negated = !negated)
    condition = module.operand(module.def(condition), 0).word;
  switch (module.def_op(condition)) {
    case Op::OpConstantTrue: return !negated;
    case Op::OpConstantFalse:
    case Op::OpConstantNull: return negated;
    default: return std::nullopt;
  }
}

constexpr std::array<Operand, 2> kZero = {};

// The words of a constant selector, none of another one.
std::span<const Operand> constant_selector(const Module& module, Id selector) {
  const InstRef def = module.def(selector);
  if (!def) return {};
  if (module[def].op == Op::OpConstant) return module.operands(def);
  if (module[def].op != Op::OpConstantNull) return {};
  const bool is_wide = module.operand(module.def(module[def].type), 0).word > 32;
  return std::span(kZero).first(is_wide ? 2 : 1);
}

}  // namespace

Constructs::Constructs(const Module& module, const Function& function, const Cfg& cfg)
    : header_of_(function.blocks.size(), Cfg::kNone) {
  std::vector<std::uint32_t> merge_of(function.blocks.size(), Cfg::kNone);
  std::vector<bool> is_header(function.blocks.size(), false);
  for (const std::uint32_t block : cfg.reverse_post_order())
    if (const InstRef merge = merge_instruction(module, function.blocks[block])) {
      is_header[block] = true;
      merge_of[block] = cfg.block_of(module.operand(merge, 0).word);
    }
  const auto ends_before = [&](std::uint32_t header, std::uint32_t block) {
    const std::uint32_t behind = merge_of[header];
    return behind != Cfg::kNone && cfg.reachable(behind) && cfg.dominates(behind, block);
  };
  // Whatever is around a block is around its immediate dominator or is headed by it, and that comes first.
  for (const std::uint32_t block : cfg.reverse_post_order()) {
    const std::uint32_t above = cfg.immediate_dominator(block);
    if (above == Cfg::kNone) continue;
    std::uint32_t header = is_header[above] ? above : header_of_[above];
    while (header != Cfg::kNone && ends_before(header, block)) header = header_of_[header];
    header_of_[block] = header;
  }
}

Id switch_target(const Module& module, InstRef branch, std::span<const Operand> selector) {
  const auto operands = module.operands(branch);
  const std::size_t words = selector.size();
  for (std::size_t i = 2; i + words < operands.size(); i += words + 1)
    if (std::equal(selector.begin(), selector.end(), operands.begin() + static_cast<std::ptrdiff_t>(i)))
      return operands[i + words].word;
  return operands[1].word;
}

Id decided_target(const Module& module, const Block& block) {
  if (block.body.empty()) return 0;
  const InstRef end = block.body.back();
  if (module[end].op == Op::OpBranchConditional) {
    const std::optional<bool> holds = constant_condition(module, module.operand(end, 0).word);
    return holds ? module.operand(end, *holds ? 1 : 2).word : 0;
  }
  if (module[end].op != Op::OpSwitch) return 0;
  const std::span<const Operand> selector = constant_selector(module, module.operand(end, 0).word);
  return selector.empty() ? 0 : switch_target(module, end, selector);
}

}  // namespace varylink::spirv
