#include "analysis/output_store.h"

#include "spirv/ir/globals.h"

namespace varylink::analysis {

bool stores_to_output(const spirv::Module& module, spirv::InstRef store) {
  spirv::Id pointer = module.operand(store, 0).word;
  while (module.def_op(pointer) == spv::Op::OpAccessChain || module.def_op(pointer) == spv::Op::OpInBoundsAccessChain)
    pointer = module.operand(module.def(pointer), 0).word;
  return spirv::is_variable_in(module, pointer, spv::StorageClass::Output);
}

}  // namespace varylink::analysis
