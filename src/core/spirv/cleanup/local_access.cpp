#include <cstdint>
#include <span>
#include <vector>

#include "spirv/cleanup/clean_ups.h"

namespace varylink::spirv {
namespace {

using spv::Op;

constexpr std::uint32_t kAligned = static_cast<std::uint32_t>(spv::MemoryAccessMask::Aligned);
constexpr std::uint32_t kHints = kAligned | static_cast<std::uint32_t>(spv::MemoryAccessMask::Nontemporal);

bool is_own_memory(const Module& module, Id pointer) {
  const InstRef type = module.def(module.type_of(pointer));
  if (!type || module[type].op != Op::OpTypePointer) return false;
  switch (static_cast<spv::StorageClass>(module.operand(type, 0).word)) {
    case spv::StorageClass::Function:
    case spv::StorageClass::Private:
    case spv::StorageClass::Input:
    case spv::StorageClass::Output: return true;
    default: return false;
  }
}

// The operands in front of the memory operands: pointers, and what is stored.
std::uint32_t plain_operands(Op op) {
  if (op == Op::OpLoad) return 1;
  return op == Op::OpStore || op == Op::OpCopyMemory ? 2 : 0;
}

bool has_hints_alone(std::span<const Operand> memory) {
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if ((memory[i].word & ~kHints) != 0) return false;
    if ((memory[i].word & kAligned) != 0) ++i;  // the alignment
  }
  return !memory.empty();
}

}  // namespace

void make_local_accesses_plain(Module& module) {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body) {
        const Op op = module[inst].op;
        const std::uint32_t plain = plain_operands(op);
        if (plain == 0 || module[inst].operand_count <= plain || !is_own_memory(module, module.operand(inst, 0).word))
          continue;
        if (op == Op::OpCopyMemory && !is_own_memory(module, module.operand(inst, 1).word)) continue;
        if (!has_hints_alone(module.operands(inst).subspan(plain))) continue;
        const auto all = module.operands(inst);
        const std::vector<Operand> operands(all.begin(), all.begin() + plain);
        module.rewrite(inst, op, operands);
      }
}

}  // namespace varylink::spirv
