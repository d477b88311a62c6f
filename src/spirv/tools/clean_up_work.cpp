#include "spirv/tools/clean_up_work.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>

#include "base/seeded_fault.h"
#include "spirv/ir/cfg.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/literal_text.h"
#include "spirv/ir/op_info.h"

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
    return type == Op::OpTypeStruct || (type == Op::OpTypeArray && !seeded_fault("clean-up-misses-arrays"));
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

// Integer operations and comparisons may be decided by one operand if that is one of these, or composed of any.
bool is_extreme(const Module& module, Id value) {
  const InstRef def = module.def(value);
  if (module[def].op != Op::OpConstant) return true;
  const std::uint32_t word = module.operand(def, 0).word;
  return word == 0 || word == 0xffffffffu || word == 0x7fffffffu || word == 0x80000000u;
}

bool is_zero(const Module& module, Id value) {
  if (!is_constant(module, value)) return false;
  const auto operands = module.operands(module.def(value));  // none of OpConstantNull
  return std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
    return operand.is_id ? is_zero(module, operand.word) : (operand.word & 0x7fffffffu) == 0;
  });
}

// `constant`, an operand of the instruction beside others that are not constant, may decide what it gives.
bool may_decide(const Module& module, InstRef inst, Id constant) {
  const Op op = module[inst].op;
  if (op >= Op::OpFOrdEqual && op <= Op::OpFUnordGreaterThanEqual) {
    // What is compared may be clamped.
    const auto is_made_by_call = [&](std::uint32_t i) {
      return module.def_op(module.operand(inst, i).word) == Op::OpExtInst;
    };
    return is_made_by_call(0) || is_made_by_call(1);
  }
  switch (op) {
    case Op::OpVectorTimesScalar:
    case Op::OpDot: return is_zero(module, constant);
    case Op::OpExtInst: return constant == module.operand(inst, first_value_operand(module, inst)).word;
    case Op::OpIMul:
    case Op::OpUDiv:
    case Op::OpSDiv:
    case Op::OpSRem:
    case Op::OpSMod:
    case Op::OpUMod:
    case Op::OpBitwiseOr:
    case Op::OpBitwiseAnd: return is_extreme(module, constant);
    case Op::OpLogicalOr:
    case Op::OpLogicalAnd:
    case Op::OpShiftLeftLogical:
    case Op::OpShiftRightLogical: return true;
    default: return op >= Op::OpUGreaterThan && op <= Op::OpSLessThanEqual && is_extreme(module, constant);
  }
}

// The values that a phi brings together may turn out to be one constant. At the head of a loop that takes running the
// loop; elsewhere the operand is computed before.
bool may_fold_phi(const Module& module, InstRef phi, bool in_loop_header) {
  Id constant = 0;
  bool all_constant = true;
  const auto operands = module.operands(phi);
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    if (!is_constant(module, operands[i].word)) {
      all_constant = false;
    } else if (constant != 0 && operands[i].word != constant) {
      return false;
    } else {
      constant = operands[i].word;
    }
  }
  return constant != 0 && (all_constant || in_loop_header);
}

// Folding an instruction takes that all its operands are constant, or that one is and alone decides the result.
bool may_fold(const Module& module, InstRef inst, bool in_loop_header) {
  const Op op = module[inst].op;
  if (module[inst].result == 0) return false;
  if (op == Op::OpPhi) return may_fold_phi(module, inst, in_loop_header);
  std::size_t count = 0, constants = 0;
  bool decided = false;
  for (const Operand& operand : module.operands(inst).subspan(first_value_operand(module, inst))) {
    if (!operand.is_id) continue;
    ++count;
    if (!is_constant(module, operand.word)) continue;
    ++constants;
    decided = decided || may_decide(module, inst, operand.word);
  }
  return constants != 0 && (constants == count || decided);
}

bool has_foldable(const Module& module) {
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const Function& function) {
    return std::any_of(function.blocks.begin(), function.blocks.end(), [&](const Block& block) {
      const bool in_loop_header = static_cast<bool>(loop_merge(module, block));
      return std::any_of(block.body.begin(), block.body.end(),
                         [&](InstRef inst) { return may_fold(module, inst, in_loop_header); });
    });
  });
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

}  // namespace

bool is_plain(const Module& module) {
  for (const auto capability : {spv::Capability::Addresses, spv::Capability::PhysicalStorageBufferAddresses,
                                spv::Capability::VariablePointers, spv::Capability::VariablePointersStorageBuffer})
    if (module.has_capability(capability)) return false;
  for (const InstRef import : module.imports)
    if (!is_text(module.operands(import), "GLSL.std.450")) return false;
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
    case CleanUp::propagate_constants: return !before.empty() || has_foldable(module);
    case CleanUp::remove_dead_branches:
      if (!before.empty()) return has_branches(module);
      return any_in_code(module, [&](InstRef inst) { return is_decided(module, inst); }) ||
             has_unreachable_block(module);
    case CleanUp::merge_blocks: return has_branches(module);
  }
  return true;
}

}  // namespace varylink::spirv
