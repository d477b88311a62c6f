#include "spirv/cleanup/merge_returns.h"

#include <algorithm>

#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"

namespace varylink::spirv {
namespace {

using spv::Op;

std::vector<std::uint32_t> returning_blocks(const Module& module, const Function& function) {
  std::vector<std::uint32_t> blocks;
  for (std::uint32_t block = 0; block < function.blocks.size(); ++block)
    if (is_return(module[function.blocks[block].body.back()].op)) blocks.push_back(block);
  return blocks;
}

// The merge block of the loop or switch that the block heads; 0 if it heads none.
Id merge_of_breaks(const Module& module, const Block& block) {
  if (const InstRef loop = loop_merge(module, block)) return module.operand(loop, 0).word;
  if (module[block.body.back()].op != Op::OpSwitch || block.body.size() < 2) return 0;
  return module.operand(block.body[block.body.size() - 2], 0).word;
}

// Whether a branch from one of the blocks to a switch around the whole function leaves no loop and no other switch.
bool can_leave(const Module& module, const Function& function, const std::vector<std::uint32_t>& returns) {
  const Cfg cfg(module, function);
  for (std::uint32_t header = 0; header < function.blocks.size(); ++header) {
    const Id label = merge_of_breaks(module, function.blocks[header]);
    if (label == 0 || !cfg.reachable(header)) continue;
    const std::uint32_t merge = cfg.block_of(label);
    const bool has_end = merge != Cfg::kNone && cfg.reachable(merge);
    for (const std::uint32_t block : returns)
      if (cfg.reachable(block) && cfg.dominates(header, block) && !(has_end && cfg.dominates(merge, block)))
        return false;
  }
  return true;
}

// The variables of a function stand at the start of its first block.
std::vector<InstRef> take_variables(const Module& module, Block& first) {
  const auto end = std::find_if(first.body.begin(), first.body.end(),
                                [&](InstRef inst) { return module[inst].op != Op::OpVariable; });
  std::vector<InstRef> variables(first.body.begin(), end);
  first.body.erase(first.body.begin(), end);
  return variables;
}

Block new_block(Module& module) {
  const Id label = module.new_id();
  return {label, {module.create(Op::OpLabel, 0, label, {})}, {}};
}

void merge_returns_of(Module& module, Id zero, Function& function, const std::vector<std::uint32_t>& returns) {
  Block start = new_block(module), end = new_block(module);
  start.body = take_variables(module, function.blocks.front());
  start.body.push_back(module.create(Op::OpSelectionMerge, 0, 0, {id(end.label), lit(0)}));
  start.body.push_back(module.create(Op::OpSwitch, 0, 0, {id(zero), id(function.blocks.front().label)}));

  std::vector<Operand> values;
  Id type = 0;
  for (const std::uint32_t place : returns) {
    Block& block = function.blocks[place];
    const InstRef back = block.body.back();
    if (module[back].op == Op::OpReturnValue) {
      const Operand value = module.operand(back, 0);
      type = module.type_of(value.word);
      values.insert(values.end(), {value, id(block.label)});
    }
    module.rewrite(back, Op::OpBranch, {id(end.label)});
  }
  if (values.empty()) {
    end.body.push_back(module.create(Op::OpReturn, 0, 0, {}));
  } else {
    const Id value = module.new_id();
    end.body.push_back(module.create(Op::OpPhi, type, value, values));
    end.body.push_back(module.create(Op::OpReturnValue, 0, 0, {id(value)}));
  }
  function.blocks.insert(function.blocks.begin(), std::move(start));
  function.blocks.push_back(std::move(end));
}

}  // namespace

bool merge_returns(Module& module) {
  std::vector<std::vector<std::uint32_t>> returns(module.functions.size());
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const Function& function = module.functions[i];
    const auto& entries = module.entries();
    const bool is_entry = std::any_of(entries.begin(), entries.end(),
                                      [&](const EntryPoint& entry) { return entry.function == function.result; });
    if (is_entry || function.blocks.empty()) continue;
    returns[i] = returning_blocks(module, function);
    if (returns[i].size() < 2)
      returns[i].clear();
    else if (!can_leave(module, function, returns[i]))
      return false;
  }
  if (std::all_of(returns.begin(), returns.end(), [](const auto& blocks) { return blocks.empty(); })) return true;
  Globals globals(module);
  const Id zero = globals.uint_constant(0);
  for (std::size_t i = 0; i < module.functions.size(); ++i)
    if (!returns[i].empty()) merge_returns_of(module, zero, module.functions[i], returns[i]);
  return true;
}

}  // namespace varylink::spirv
