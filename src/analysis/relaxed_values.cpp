#include "analysis/relaxed_values.h"

#include <algorithm>

#include "spirv/ir/op_info.h"

namespace varylink::analysis {

std::vector<bool> relaxed_values(const spirv::Module& module, const spirv::Function& function) {
  std::vector<bool> relaxed(module.bound, false);
  for (const spirv::Id id : spirv::relaxed_ids(module))
    relaxed[id] = module.def_op(id) != spv::Op::OpLoad && module.def_op(id) != spv::Op::OpVariable;
  // Operands come first, but for what flows back in a loop.
  for (const spirv::Block& block : function.blocks)
    for (const spirv::InstRef inst : block.body) {
      const spirv::Id result = module[inst].result;
      if (result == 0 || relaxed[result] || module[inst].op == spv::Op::OpLoad) continue;
      const auto operands = module.operands(inst);
      relaxed[result] = std::any_of(operands.begin(), operands.end(), [&](const spirv::Operand& operand) {
        return operand.is_id && relaxed[operand.word];
      });
    }
  return relaxed;
}

}  // namespace varylink::analysis
