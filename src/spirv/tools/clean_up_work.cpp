#include "spirv/tools/clean_up_work.h"

#include <algorithm>
#include <optional>

#include "base/seeded_fault.h"
#include "spirv/cleanup/constant_folder.h"
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
  if (module[inst].result == 0 || op == Op::OpVariable) return false;
  if (op == Op::OpPhi) return may_fold_phi(module, inst, in_loop_header);
  std::uint32_t count = 0, constants = 0;
  bool decided = false;
  for (const Operand& operand : module.operands(inst).subspan(first_value_operand(module, inst))) {
    if (!operand.is_id) continue;
    const std::uint32_t position = count++;
    if (!is_constant(module, operand.word)) continue;
    ++constants;
    decided = decided || may_decide(module, inst, position, operand.word);
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

// A switch with one way in that is also left from within, as SPIRV-Tools make one of several returns.
bool is_left_early(const Module& module, const Cfg& cfg, const Block& block) {
  const InstRef branch = block.body.back();
  if (module[branch].op != Op::OpSwitch || module.operands(branch).size() != 2 || block.body.size() < 2) return false;
  const std::uint32_t merge = cfg.block_of(module.operand(block.body[block.body.size() - 2], 0).word);
  return merge != Cfg::kNone && cfg.predecessors(merge).size() > 1;
}

bool has_decided_branch(const Module& module) {
  for (const Function& function : module.functions) {
    std::optional<Cfg> cfg;
    for (const Block& block : function.blocks) {
      if (!is_decided(module, block.body.back())) continue;
      if (!cfg) cfg.emplace(module, function);
      if (!is_left_early(module, *cfg, block)) return true;
    }
  }
  return false;
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

bool has_whole_load_of_local(const Module& module) {
  return any_in_code(module, [&](InstRef inst) {
    if (module[inst].op != Op::OpLoad) return false;
    const InstRef variable = module.def(module.operand(inst, 0).word);
    return variable && module[variable].op == Op::OpVariable &&
           module.operand(variable, 0).word == static_cast<std::uint32_t>(spv::StorageClass::Function);
  });
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
      return has_decided_branch(module) || has_unreachable_block(module);
    case CleanUp::merge_blocks: return has_branches(module);
  }
  return true;
}

}  // namespace varylink::spirv
