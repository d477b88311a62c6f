#include "varyings/scalarize/local_composites.h"

#include "spirv/ir/globals.h"
#include "spirv/ir/op_info.h"

namespace varylink::varyings {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;

bool is_composite(const Module& module, Id type) {
  return module.def_op(type) == spv::Op::OpTypeStruct || module.def_op(type) == spv::Op::OpTypeArray;
}

std::vector<Id> local_composites(const Module& module, const Entry& entry) {
  std::vector<Id> found;
  const spirv::Function* function = module.function(entry.function);
  if (!function || function->blocks.empty()) return found;
  for (const InstRef inst : function->blocks.front().body) {
    const bool is_plain = module[inst].op == spv::Op::OpVariable && module.operands(inst).size() == 1;
    if (is_plain && is_composite(module, spirv::pointee_type(module, module[inst].type)))
      found.push_back(module[inst].result);
  }
  return found;
}

}  // namespace varylink::varyings
