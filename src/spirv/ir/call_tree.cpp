#include "spirv/ir/call_tree.h"

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

std::vector<const Block*> certain_blocks(const Module& module, Id root) {
  std::vector<Id> functions{root};
  std::set<Id> seen{root};
  std::vector<const Block*> blocks;
  for (std::size_t next = 0; next < functions.size(); ++next) {
    const Function* function = module.function(functions[next]);
    if (!function || function->blocks.empty()) continue;
    blocks.push_back(&function->blocks.front());
    for (const InstRef inst : function->blocks.front().body) {
      if (module[inst].op != spv::Op::OpFunctionCall || module[inst].operand_count == 0) continue;
      const Id callee = module.operand(inst, 0).word;
      if (seen.insert(callee).second) functions.push_back(callee);
    }
  }
  return blocks;
}

}  // namespace varylink::spirv
