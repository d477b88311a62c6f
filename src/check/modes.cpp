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

}  // namespace varylink::check
