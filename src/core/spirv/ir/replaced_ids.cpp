#include "spirv/ir/replaced_ids.h"

namespace varylink::spirv {

void ReplacedIds::apply(Module& module) const {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body) {
        const auto operands = module.operands(inst);
        for (std::uint32_t i = 0; i < operands.size(); ++i) {
          if (!operands[i].is_id) continue;
          if (const Id now = current(operands[i].word); now != operands[i].word) module.set_operand(inst, i, id(now));
        }
      }
}

}  // namespace varylink::spirv
