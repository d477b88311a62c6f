#include "link/values/float_environment.h"

#include <algorithm>
#include <set>
#include <utility>

#include "spirv/cleanup/clean_ups.h"

namespace varylink::link {

bool states_float_environment(const link::LinkedStage& stage) {
  constexpr std::uint32_t kFPFastMathDefault = 6028;
  return std::any_of(stage.module.execution_modes.begin(), stage.module.execution_modes.end(),
                     [&](spirv::InstRef inst) { return stage.module.operand(inst, 1).word == kFPFastMathDefault; });
}

namespace {

// (mode, width) of everything that SPV_KHR_float_controls lets an entry point say.
std::set<std::pair<std::uint32_t, std::uint32_t>> float_modes(const link::LinkedStage& stage) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> modes;
  for (const spirv::InstRef inst : stage.module.execution_modes) {
    const std::uint32_t mode = stage.module.operand(inst, 1).word;
    if (mode >= static_cast<std::uint32_t>(spv::ExecutionMode::DenormPreserve) &&
        mode <= static_cast<std::uint32_t>(spv::ExecutionMode::RoundingModeRTZ))
      modes.emplace(mode, stage.module.operand(inst, 2).word);
  }
  return modes;
}

}  // namespace

bool share_float_modes(const link::LinkedStage& a, const link::LinkedStage& b) {
  return float_modes(a) == float_modes(b);
}

bool may_move_floats(const link::LinkedStage& a, const link::LinkedStage& b) {
  return share_float_modes(a, b) && spirv::allows_identities(a.module) && spirv::allows_identities(b.module);
}

bool may_convert_halves(const link::LinkedStage& a, const link::LinkedStage& b) {
  return may_move_floats(a, b) && float_modes(a).empty();
}

}  // namespace varylink::link
