#include "spirv/ir/pointer_uses.h"

#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/uses.h"

namespace varylink::spirv {
namespace {

using spv::Op;

bool is_pointer(const Module& module, Id id) {
  const Id type = module.type_of(id);
  return type != 0 && module.def_op(type) == Op::OpTypePointer;
}

}  // namespace

PointerUse pointer_use(const Module& module, InstRef inst, std::uint32_t position) {
  if (is_debug_inst(module, inst) || !is_pointer(module, module.operand(inst, position).word)) return PointerUse::none;
  const OperationRow& row = row_of(module, inst);
  return position == 0 ? row.first_pointer : row.other_pointers;
}

std::vector<Id> pointers_written(const Module& module, InstRef inst) {
  std::vector<Id> found;
  const auto operands = module.operands(inst);
  for (std::uint32_t i = 0; i < operands.size(); ++i)
    if (operands[i].is_id && may_write(pointer_use(module, inst, i))) found.push_back(operands[i].word);
  return found;
}

}  // namespace varylink::spirv
