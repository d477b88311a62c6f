#include "check/modes.h"

namespace varylink::check {
namespace {

spirv::InstRef find_mode(const link::StageView& stage, spv::ExecutionMode mode) {
  for (const spirv::InstRef inst : stage.module->execution_modes) {
    const auto operands = stage.module->operands(inst);
    if (operands.size() >= 2 && operands[0].word == stage.entry.function &&
        operands[1].word == static_cast<std::uint32_t>(mode))
      return inst;
  }
  return {};
}

}  // namespace

bool has_mode(const link::StageView& stage, spv::ExecutionMode mode) {
  return static_cast<bool>(find_mode(stage, mode));
}

std::optional<std::uint32_t> mode_value(const link::StageView& stage, spv::ExecutionMode mode) {
  const spirv::InstRef inst = find_mode(stage, mode);
  if (!inst || (*stage.module)[inst].operand_count < 3) return std::nullopt;
  return stage.module->operand(inst, 2).word;
}

std::vector<std::uint32_t> mode_values(const link::StageView& stage, spv::ExecutionMode mode) {
  std::vector<std::uint32_t> values;
  const spirv::InstRef inst = find_mode(stage, mode);
  for (std::uint32_t i = 2; inst && i < (*stage.module)[inst].operand_count; ++i)
    values.push_back(stage.module->operand(inst, i).word);
  return values;
}

spirv::Id work_group_constant(const spirv::Module& module) {
  for (const spirv::InstRef inst : module.annotations) {
    const auto operands = module.operands(inst);
    if (module[inst].op == spv::Op::OpDecorate && operands.size() >= 3 &&
        static_cast<spv::Decoration>(operands[1].word) == spv::Decoration::BuiltIn &&
        static_cast<spv::BuiltIn>(operands[2].word) == spv::BuiltIn::WorkgroupSize)
      return operands[0].word;
  }
  return 0;
}

std::optional<std::uint32_t> default_value(const spirv::Module& module, spirv::Id constant) {
  const spv::Op op = module.def_op(constant);
  if (op != spv::Op::OpConstant && op != spv::Op::OpSpecConstant) return std::nullopt;
  return module.operand(module.def(constant), 0).word;
}

}  // namespace varylink::check
