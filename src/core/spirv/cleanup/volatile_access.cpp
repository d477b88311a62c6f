#include <algorithm>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/ir/memory_reads.h"

namespace varylink::spirv {
namespace {

using spv::Op;

constexpr std::uint32_t kVolatileMask = static_cast<std::uint32_t>(spv::MemoryAccessMask::Volatile);

bool declares_volatile(const Module& module) {
  return std::any_of(module.annotations.begin(), module.annotations.end(), [&](InstRef inst) {
    const bool on_member = module[inst].op == Op::OpMemberDecorate;
    return static_cast<spv::Decoration>(module.operand(inst, on_member ? 2 : 1).word) == spv::Decoration::Volatile;
  });
}

// `position`: of the memory operands.
void add_volatile(Module& module, InstRef inst, std::uint32_t position) {
  const auto present = module.operands(inst);
  std::vector<Operand> operands(present.begin(), present.end());
  if (operands.size() == position) operands.push_back(lit(0));
  operands[position].word |= kVolatileMask;
  module.rewrite(inst, module[inst].op, operands);
}

}  // namespace

void make_volatile_explicit(Module& module) {
  if (!declares_volatile(module)) return;
  const MemoryReads reads(module);
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body) {
        const Op op = module[inst].op;
        if ((op == Op::OpLoad || op == Op::OpStore) && reads.is_declared_volatile(module.operand(inst, 0).word))
          add_volatile(module, inst, op == Op::OpLoad ? 1 : 2);
      }
}

}  // namespace varylink::spirv
