#include <algorithm>
#include <optional>
#include <vector>

#include "base/seeded_fault.h"
#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

struct EqualArms {
  std::uint32_t header = 0, taken = 0, left = 0;  // blocks
};

// What the block does and where it goes, if that is stores and no more.
std::optional<std::vector<InstRef>> stores_and_end(const Module& module, const Block& block) {
  std::vector<InstRef> code;
  for (const InstRef inst : block.body) {
    const spv::Op op = module[inst].op;
    if (is_debug_inst(module, inst)) continue;
    const bool is_end = op == spv::Op::OpReturn || op == spv::Op::OpBranch;
    if (op != spv::Op::OpStore && !is_end) return std::nullopt;
    code.push_back(inst);
  }
  return code;
}

bool are_equal(const Module& module, const Block& a, const Block& b) {
  const auto of_a = stores_and_end(module, a), of_b = stores_and_end(module, b);
  return of_a && of_b &&
         std::equal(of_a->begin(), of_a->end(), of_b->begin(), of_b->end(), [&](InstRef one, InstRef other) {
           const auto left = module.operands(one), right = module.operands(other);
           const bool same = std::equal(left.begin(), left.end(), right.begin(), right.end());
           return module[one].op == module[other].op && (same || seeded_fault("arms-look-equal"));
         });
}

bool has_phi(const Module& module, const Block& block) {
  return std::any_of(block.body.begin(), block.body.end(),
                     [&](InstRef inst) { return module[inst].op == spv::Op::OpPhi; });
}

std::optional<EqualArms> find_at(const Module& module, const Function& function, const Cfg& cfg, std::uint32_t header) {
  const std::vector<InstRef>& body = function.blocks[header].body;
  if (body.size() < 2 || !cfg.reachable(header)) return std::nullopt;
  const InstRef selection = body[body.size() - 2], branch = body.back();
  if (module[selection].op != spv::Op::OpSelectionMerge || module[branch].op != spv::Op::OpBranchConditional)
    return std::nullopt;
  const std::uint32_t merge = cfg.block_of(module.operand(selection, 0).word);
  EqualArms arms{header, cfg.block_of(module.operand(branch, 1).word), cfg.block_of(module.operand(branch, 2).word)};
  if (arms.left == merge) std::swap(arms.taken, arms.left);
  // Only this branch goes to the arm that is left, so that it can go.
  if (arms.taken == arms.left || cfg.predecessors(arms.left).size() != 1) return std::nullopt;
  if (!are_equal(module, function.blocks[arms.taken], function.blocks[arms.left])) return std::nullopt;
  // Where the arms meet, phis would tell them apart.
  for (const std::uint32_t next : cfg.successors(arms.taken))
    if (has_phi(module, function.blocks[next])) return std::nullopt;
  return arms;
}

void merge(Module& module, Function& function, const EqualArms& arms) {
  std::vector<InstRef>& body = function.blocks[arms.header].body;
  module.kill(body[body.size() - 2]);
  body.erase(body.end() - 2);
  module.rewrite(body.back(), spv::Op::OpBranch, {id(function.blocks[arms.taken].label)});
  const Block left = std::move(function.blocks[arms.left]);
  function.blocks.erase(function.blocks.begin() + arms.left);
  for (const InstRef inst : left.body) module.kill(inst);
  for (const InstRef inst : left.head) module.kill(inst);
}

bool merge_one(Module& module, Function& function) {
  const Cfg cfg(module, function);
  for (std::uint32_t header = 0; header < function.blocks.size(); ++header)
    if (const auto arms = find_at(module, function, cfg, header)) {
      merge(module, function, *arms);
      return true;
    }
  return false;
}

}  // namespace

bool merge_equal_arms(Module& module) {
  bool changed = false;
  for (Function& function : module.functions)
    while (function.blocks.size() > 2 && merge_one(module, function)) changed = true;
  return changed;
}

}  // namespace varylink::spirv
