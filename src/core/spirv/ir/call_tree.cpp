#include "spirv/ir/call_tree.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace varylink::spirv {

std::vector<Id> call_tree(const Module& module, std::vector<Id> roots) {
  std::vector<Id> tree = std::move(roots);
  std::set<Id> seen(tree.begin(), tree.end());
  for (std::size_t next = 0; next < tree.size(); ++next) {
    const Function* function = module.function(tree[next]);
    if (!function) continue;
    for (const Block& block : function->blocks)
      for (const InstRef inst : block.body) {
        if (module[inst].op != spv::Op::OpFunctionCall || module[inst].operand_count == 0) continue;
        const Id callee = module.operand(inst, 0).word;
        if (seen.insert(callee).second) tree.push_back(callee);
      }
  }
  return tree;
}

namespace {

using BlocksOf = std::vector<const Block*> (*)(const Module& module, const Function& function);

// `blocks_of` of `root`, and of what these blocks call.
std::vector<const Block*> with_called(const Module& module, Id root, BlocksOf blocks_of) {
  std::vector<Id> functions{root};
  std::set<Id> seen{root};
  std::vector<const Block*> blocks;
  for (std::size_t next = 0; next < functions.size(); ++next) {
    const Function* function = module.function(functions[next]);
    if (!function || function->blocks.empty()) continue;
    for (const Block* block : blocks_of(module, *function)) {
      blocks.push_back(block);
      for (const InstRef inst : block->body) {
        if (module[inst].op != spv::Op::OpFunctionCall || module[inst].operand_count == 0) continue;
        const Id callee = module.operand(inst, 0).word;
        if (seen.insert(callee).second) functions.push_back(callee);
      }
    }
  }
  return blocks;
}

std::vector<const Block*> first_block(const Module&, const Function& function) { return {&function.blocks.front()}; }

// Where control flow comes together again behind the block: at the merge block of what begins there, else at the only
// block that follows; 0 if there is none.
Id label_behind(const Module& module, const Block& block) {
  if (block.body.empty()) return 0;
  if (block.body.size() > 1) {
    const InstRef merge = block.body[block.body.size() - 2];
    if (module[merge].op == spv::Op::OpSelectionMerge || module[merge].op == spv::Op::OpLoopMerge)
      return module.operand(merge, 0).word;
  }
  return module[block.body.back()].op == spv::Op::OpBranch ? module.operand(block.body.back(), 0).word : 0;
}

std::vector<const Block*> chain_of_merges(const Module& module, const Function& function) {
  std::map<Id, const Block*> by_label;
  for (const Block& block : function.blocks) by_label.emplace(block.label, &block);
  std::vector<const Block*> chain;
  for (const Block* block = &function.blocks.front(); block != nullptr && chain.size() < function.blocks.size();) {
    chain.push_back(block);
    const auto next = by_label.find(label_behind(module, *block));
    block = next == by_label.end() ? nullptr : next->second;
  }
  return chain;
}

}  // namespace

void remove_uncalled_functions(Module& module) {
  std::vector<Id> roots;
  for (const EntryPoint& entry : module.entries()) roots.push_back(entry.function);
  std::vector<Id> called = call_tree(module, std::move(roots));
  std::sort(called.begin(), called.end());
  std::erase_if(module.functions, [&](const Function& function) {
    if (std::binary_search(called.begin(), called.end(), function.result)) return false;
    for (const auto* list : {&function.head, &function.tail})
      for (const InstRef inst : *list) module.kill(inst);
    for (const Block& block : function.blocks)
      for (const auto* list : {&block.head, &block.body})
        for (const InstRef inst : *list) module.kill(inst);
    return true;
  });
}

std::vector<const Block*> certain_blocks(const Module& module, Id root) {
  return with_called(module, root, first_block);
}

std::vector<const Block*> unconditional_blocks(const Module& module, Id root) {
  return with_called(module, root, chain_of_merges);
}

}  // namespace varylink::spirv
