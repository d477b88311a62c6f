#include "spirv/ir/memory_operands.h"

namespace varylink::spirv {

bool has_memory_operands(const Module& module, InstRef inst) {
  const spv::Op op = module[inst].op;
  const std::size_t first = op == spv::Op::OpLoad ? 1 : 2;
  const auto operands = module.operands(inst);
  if (operands.size() <= first) return false;
  // The operands of OpCopyMemory may be two masks; an empty one has nothing behind it.
  const bool is_copy = op == spv::Op::OpCopyMemory;
  return operands[first].word != 0 || (is_copy && operands.size() > first + 1 && operands[first + 1].word != 0);
}

bool is_plain_store(const Module& module, InstRef inst) {
  return module[inst].op == spv::Op::OpStore && !has_memory_operands(module, inst);
}

}  // namespace varylink::spirv
