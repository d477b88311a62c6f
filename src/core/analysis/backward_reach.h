// Which values some instructions depend on, directly or through others.
#pragma once

#include <vector>

#include "spirv/ir/module.h"

namespace varylink::analysis {

// By id: operands of the instructions that `is_root` names, and operands of the instructions that make such ids.
// Control flow and memory are not followed. Merge instructions count for nothing.
template <typename IsRoot>
std::vector<bool> reaching(const spirv::Module& module, const spirv::Function& function, IsRoot is_root) {
  std::vector<bool> reaches(module.bound, false);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = function.blocks.rbegin(); block != function.blocks.rend(); ++block)
      for (auto inst = block->body.rbegin(); inst != block->body.rend(); ++inst) {
        const spirv::Inst& record = module[*inst];
        if (!is_root(*inst) && (record.result == 0 || !reaches[record.result])) continue;
        if (record.op == spv::Op::OpSelectionMerge || record.op == spv::Op::OpLoopMerge) continue;
        for (const spirv::Operand& operand : module.operands(*inst))
          if (operand.is_id && !reaches[operand.word]) {
            reaches[operand.word] = true;
            // Only values of phis can come from further down.
            changed = changed || record.op == spv::Op::OpPhi;
          }
      }
  }
  return reaches;
}

}  // namespace varylink::analysis
