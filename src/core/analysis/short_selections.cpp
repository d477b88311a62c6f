#include "analysis/short_selections.h"

#include <algorithm>
#include <limits>

#include "analysis/component_place.h"
#include "analysis/cost_profile.h"
#include "analysis/operation_cost.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/uses.h"

namespace varylink::analysis {
namespace {

using spirv::Cfg;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

constexpr double kTooMuch = std::numeric_limits<double>::infinity();

// Reads that drivers make whether their branch is taken or not.
bool is_cheap_load(const Module& module, InstRef load) {
  switch (pointer_place(module, module.operand(load, 0).word).storage) {
    case spv::StorageClass::Input:
    case spv::StorageClass::Uniform:
    case spv::StorageClass::UniformConstant:
    case spv::StorageClass::PushConstant:
    case spv::StorageClass::Function:
    case spv::StorageClass::Private: return true;
    default: return false;
  }
}

// Where the code says which output it is; one for each vertex is addressed by something.
bool is_store_of_an_output(const Module& module, InstRef inst) {
  if (module[inst].op != Op::OpStore) return false;
  const PointerPlace place = pointer_place(module, module.operand(inst, 0).word);
  return place.storage == spv::StorageClass::Output && place.variable != 0 && place.dynamic_indices.empty();
}

bool is_control_flow(Op op) {
  return op == Op::OpSelectionMerge || op == Op::OpBranch || op == Op::OpBranchConditional || op == Op::OpPhi;
}

// Of one instruction on a side; infinite for one that keeps the branch a branch.
double cost_on_side(const Module& module, InstRef inst) {
  const Op op = module[inst].op;
  if (is_control_flow(op) || spirv::is_debug_inst(module, inst) || is_store_of_an_output(module, inst)) return 0;
  if (!spirv::is_removable(module, inst)) return kTooMuch;
  if (op == Op::OpLoad) return is_cheap_load(module, inst) ? 0 : kTooMuch;
  const Recipe recipe = recipe_of(operation_of(module, inst));
  const OpClass op_class = recipe.after[0].op_class;
  if (op_class == OpClass::texture || op_class == OpClass::other || op_class == OpClass::memory_load) return kTooMuch;
  return cost_of(default_profile(), module, inst);
}

}  // namespace

ShortSelections::ShortSelections(const Module& module, const spirv::Function& function, const Cfg& cfg)
    : module_(module),
      function_(function),
      cfg_(cfg),
      merge_(function.blocks.size(), Cfg::kNone),
      header_(function.blocks.size(), Cfg::kNone),
      home_(function.blocks.size()),
      cost_(function.blocks.size(), 0) {
  for (std::uint32_t block = 0; block < home_.size(); ++block) home_[block] = block;
  // From the inside out: a selection on a side of another one is behind its header.
  const std::vector<std::uint32_t>& order = cfg.reverse_post_order();
  for (auto header = order.rbegin(); header != order.rend(); ++header) {
    const InstRef ends = spirv::merge_instruction(module, function.blocks[*header]);
    if (!ends || module[ends].op != Op::OpSelectionMerge) continue;
    const std::uint32_t merge = cfg.block_of(module.operand(ends, 0).word);
    if (is_short(*header, merge)) take(*header, merge);
  }
  for (const std::uint32_t block : order) home_[block] = home_[home_[block]];
}

spirv::Id ShortSelections::condition_at(std::uint32_t merge) const {
  const std::uint32_t header = header_[merge];
  return header == Cfg::kNone ? 0 : module_.operand(function_.blocks[header].body.back(), 0).word;
}

double ShortSelections::cost_of_block(std::uint32_t block) const {
  double cost = 0;
  for (const InstRef inst : function_.blocks[block].body) cost += cost_on_side(module_, inst);
  return cost;
}

// Of the blocks from `block`, which `from` goes to, to the merge; infinite if something else is on the way.
double ShortSelections::cost_of_side(std::uint32_t block, std::uint32_t from, std::uint32_t merge) const {
  double cost = 0;
  while (block != merge && cost <= kLongestSide) {
    if (cfg_.immediate_dominator(block) != from) return kTooMuch;
    cost += cost_of_block(block);
    from = block;
    if (is_header(block)) {
      cost += cost_[block];
      block = merge_[block];
    } else if (cfg_.successors(block).size() == 1) {
      block = cfg_.successors(block).front();
    } else {
      return kTooMuch;
    }
  }
  return cost;
}

bool ShortSelections::is_short(std::uint32_t header, std::uint32_t merge) const {
  const InstRef branch = function_.blocks[header].body.back();
  if (merge == Cfg::kNone || !cfg_.reachable(merge) || module_[branch].op != Op::OpBranchConditional) return false;
  const std::vector<std::uint32_t>& sides = cfg_.successors(header);
  if (sides.size() != 2 || sides[0] == sides[1] || cfg_.predecessors(merge).size() != 2) return false;
  return std::all_of(sides.begin(), sides.end(),
                     [&](std::uint32_t side) { return cost_of_side(side, header, merge) <= kLongestSide; });
}

void ShortSelections::take(std::uint32_t header, std::uint32_t merge) {
  merge_[header] = merge;
  header_[merge] = header;
  for (const std::uint32_t side : cfg_.successors(header)) {
    cost_[header] += cost_of_side(side, header, merge);
    for (std::uint32_t block = side; block != merge;) {
      home_[block] = header;
      block = is_header(block) ? merge_[block] : cfg_.successors(block).front();
    }
  }
}

}  // namespace varylink::analysis
