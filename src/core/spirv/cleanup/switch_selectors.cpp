#include <algorithm>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/cfg.h"

namespace varylink::spirv {
namespace {

bool selects_by_spec_constant_op(const Module& module, const Block& block) {
  if (block.body.empty() || module[block.body.back()].op != spv::Op::OpSwitch) return false;
  return module.def_op(module.operand(block.body.back(), 0).word) == spv::Op::OpSpecConstantOp;
}

}  // namespace

bool switches_on_spec_constant_op(const Module& module) {
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const Function& function) {
    return std::any_of(function.blocks.begin(), function.blocks.end(),
                       [&](const Block& block) { return selects_by_spec_constant_op(module, block); });
  });
}

void copy_spec_selectors(Module& module) {
  for (Function& function : module.functions)
    for (Block& block : function.blocks) {
      if (!selects_by_spec_constant_op(module, block)) continue;
      const InstRef branch = block.body.back();
      const Id selector = module.operand(branch, 0).word, copy = module.new_id();
      const InstRef inst = module.create(spv::Op::OpCopyObject, module.type_of(selector), copy, {id(selector)});
      // In front of the merge instruction, which stands next to the branch.
      block.body.insert(block.body.end() - (merge_instruction(module, block) ? 2 : 1), inst);
      module.set_operand(branch, 0, id(copy));
    }
}

}  // namespace varylink::spirv
