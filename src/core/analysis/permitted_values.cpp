#include "analysis/permitted_values.h"

namespace varylink::analysis {

std::vector<spirv::Permissions> permissions_behind(const spirv::Module& module, const spirv::Function& function) {
  std::vector<spirv::Permissions> behind(module.bound, 0);
  for (const auto& [id, manner] : spirv::Manners(module))
    if (id < behind.size() && module.def_op(id) != spv::Op::OpLoad && module.def_op(id) != spv::Op::OpVariable)
      behind[id] = manner.permissions;
  // Operands come first, but for what flows back in a loop.
  for (const spirv::Block& block : function.blocks)
    for (const spirv::InstRef inst : block.body) {
      const spirv::Id result = module[inst].result;
      if (result == 0 || module[inst].op == spv::Op::OpLoad) continue;
      for (const spirv::Operand& operand : module.operands(inst))
        if (operand.is_id) behind[result] = static_cast<spirv::Permissions>(behind[result] | behind[operand.word]);
    }
  return behind;
}

}  // namespace varylink::analysis
