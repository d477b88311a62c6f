#include "spirv/clean_up_work.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>

#include "spirv/cfg.h"
#include "spirv/globals.h"
#include "spirv/op_info.h"

namespace varylink::spirv {
namespace {

using spv::Op;

template <typename Test>
bool any_in_code(const Module& module, Test test) {
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const Function& function) {
    return std::any_of(function.blocks.begin(), function.blocks.end(),
                       [&](const Block& block) { return std::any_of(block.body.begin(), block.body.end(), test); });
  });
}

bool is_line(Op op) { return op == Op::OpLine || op == Op::OpNoLine; }

bool has_lines(const Module& module) {
  const auto test = [&](InstRef inst) { return is_line(module[inst].op); };
  const auto is_labelled = [&](const Function& function) {
    return std::any_of(function.head.begin(), function.head.end(), test) ||
           std::any_of(function.tail.begin(), function.tail.end(), test) ||
           std::any_of(function.blocks.begin(), function.blocks.end(),
                       [](const Block& block) { return block.head.size() > 1; });
  };
  return std::any_of(module.types.begin(), module.types.end(), test) || any_in_code(module, test) ||
         std::any_of(module.functions.begin(), module.functions.end(), is_labelled);
}

bool has_private(const Module& module) {
  constexpr auto kPrivate = static_cast<std::uint32_t>(spv::StorageClass::Private);
  return std::any_of(module.types.begin(), module.types.end(), [&](InstRef inst) {
    return module[inst].op == Op::OpVariable && module.operand(inst, 0).word == kPrivate;
  });
}

bool has_local(const Module& module) {
  return any_in_code(module, [&](InstRef inst) { return module[inst].op == Op::OpVariable; });
}

bool has_local_aggregate(const Module& module) {
  return any_in_code(module, [&](InstRef inst) {
    if (module[inst].op != Op::OpVariable) return false;
    const Op type = module.def_op(pointee_type(module, module[inst].type));
    return type == Op::OpTypeStruct || type == Op::OpTypeArray;
  });
}

bool has_branches(const Module& module) {
  return std::any_of(module.functions.begin(), module.functions.end(),
                     [](const Function& function) { return function.blocks.size() > 1; });
}

// Specialization constants and undefined values are none.
bool is_constant(const Module& module, Id value) {
  const Op op = module.def_op(value);
  return op >= Op::OpConstantTrue && op <= Op::OpConstantNull;
}

bool is_zero(const Module& module, Id value) {
  if (!is_constant(module, value)) return false;
  const auto operands = module.operands(module.def(value));  // none of OpConstantNull
  return std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
    return operand.is_id ? is_zero(module, operand.word) : (operand.word & 0x7fffffffu) == 0;
  });
}

bool is_float_arithmetic(Op op) {
  return op == Op::OpFAdd || op == Op::OpFSub || op == Op::OpFMul || op == Op::OpFDiv ||
         op == Op::OpVectorTimesMatrix || op == Op::OpMatrixTimesVector || op == Op::OpCompositeConstruct ||
         op == Op::OpCompositeInsert || op == Op::OpVectorShuffle;
}

// Folding an instruction takes that all its operands are constant, or that one is and alone decides the result.
bool may_fold(const Module& module, InstRef inst) {
  const Op op = module[inst].op;
  if (module[inst].result == 0 || op == Op::OpAccessChain || op == Op::OpInBoundsAccessChain) return false;
  const auto values = module.operands(inst).subspan(first_value_operand(module, inst));
  std::size_t count = 0, constants = 0;
  bool zero = false;
  for (const Operand& operand : values) {
    if (!operand.is_id) continue;
    ++count;
    if (!is_constant(module, operand.word)) continue;
    ++constants;
    zero = zero || is_zero(module, operand.word);
  }
  if (constants == 0) return false;
  if (constants == count || op == Op::OpPhi) return true;
  if (op == Op::OpExtInst) return is_constant(module, values.front().word);
  if (op == Op::OpVectorTimesScalar || op == Op::OpDot) return zero;
  return !is_float_arithmetic(op) && !(op >= Op::OpImageSampleImplicitLod && op <= Op::OpImageQuerySamples);
}

bool is_decided(const Module& module, InstRef branch) {
  if (module[branch].op != Op::OpBranchConditional && module[branch].op != Op::OpSwitch) return false;
  Id condition = module.operand(branch, 0).word;
  while (module.def_op(condition) == Op::OpLogicalNot) condition = module.operand(module.def(condition), 0).word;
  return is_constant(module, condition);
}

bool has_unreachable_block(const Module& module) {
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const Function& function) {
    return Cfg(module, function).reverse_post_order().size() != function.blocks.size();
  });
}

// A block with one way out, to a block with one way in.
bool has_blocks_to_merge(const Module& module) {
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const Function& function) {
    if (function.blocks.size() < 2) return false;
    const Cfg cfg(module, function);
    return std::any_of(function.blocks.begin(), function.blocks.end(), [&](const Block& block) {
      if (block.body.empty() || module[block.body.back()].op != Op::OpBranch) return false;
      const std::uint32_t target = cfg.block_of(module.operand(block.body.back(), 0).word);
      return target == Cfg::kNone || cfg.predecessors(target).size() == 1;
    });
  });
}

}  // namespace

bool is_plain(const Module& module) {
  for (const auto capability : {spv::Capability::Addresses, spv::Capability::PhysicalStorageBufferAddresses,
                                spv::Capability::VariablePointers, spv::Capability::VariablePointersStorageBuffer})
    if (module.has_capability(capability)) return false;
  for (const InstRef import : module.imports)
    if (decode_string(module.operands(import), 0) != "GLSL.std.450") return false;
  for (const InstRef inst : module.annotations)
    if (const Op op = module[inst].op; op != Op::OpDecorate && op != Op::OpMemberDecorate &&
                                       op != Op::OpDecorateString && op != Op::OpMemberDecorateString)
      return false;
  return !has_lines(module);
}

bool has_work(const Module& module, CleanUp step, std::span<const CleanUp> before) {
  // Other functions bring anything with them.
  if (module.functions.size() != 1) return true;
  switch (step) {
    case CleanUp::merge_returns:
    case CleanUp::compact_ids:
    case CleanUp::fold_specialized:
    case CleanUp::merge_redundancies:
    case CleanUp::remove_dead_code: return true;
    case CleanUp::inline_functions: return false;
    case CleanUp::private_to_local: return has_private(module);
    case CleanUp::split_aggregates: return has_private(module) || has_local_aggregate(module);
    case CleanUp::forward_array_copies:
    case CleanUp::promote_locals: return has_private(module) || has_local(module);
    case CleanUp::unroll_marked_loops: return has_branches(module);
    case CleanUp::propagate_constants:
      return !before.empty() || any_in_code(module, [&](InstRef inst) { return may_fold(module, inst); });
    case CleanUp::remove_dead_branches:
      if (!before.empty()) return has_branches(module);
      return any_in_code(module, [&](InstRef inst) { return is_decided(module, inst); }) ||
             has_unreachable_block(module);
    case CleanUp::merge_blocks: return before.empty() ? has_blocks_to_merge(module) : has_branches(module);
  }
  return true;
}

}  // namespace varylink::spirv
