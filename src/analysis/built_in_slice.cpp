#include "analysis/built_in_slice.h"

#include <set>

#include "analysis/backward_reach.h"

namespace varylink::analysis {

using spirv::Id;
using spirv::InstRef;
using spv::Op;

std::vector<bool> reaches_built_in(const spirv::Module& module, const spirv::Function& function) {
  std::set<Id> located;
  for (const InstRef inst : module.annotations)
    if (module[inst].op == Op::OpDecorate &&
        static_cast<spv::Decoration>(module.operand(inst, 1).word) == spv::Decoration::Location)
      located.insert(module.operand(inst, 0).word);
  const auto is_root = [&](InstRef inst) {
    const spirv::Inst& record = module[inst];
    if (record.op != Op::OpStore) return record.result == 0;
    Id pointer = module.operand(inst, 0).word;
    while (module.def_op(pointer) == Op::OpAccessChain || module.def_op(pointer) == Op::OpInBoundsAccessChain)
      pointer = module.operand(module.def(pointer), 0).word;
    return located.count(pointer) == 0;
  };
  return reaching(module, function, is_root);
}

}  // namespace varylink::analysis
