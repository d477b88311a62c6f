#include "passes/float_environment.h"

#include <algorithm>

namespace varylink::passes {

bool states_float_environment(const link::LinkedStage& stage) {
  constexpr std::uint32_t kFPFastMathDefault = 6028;
  return std::any_of(stage.module.execution_modes.begin(), stage.module.execution_modes.end(),
                     [&](spirv::InstRef inst) { return stage.module.operand(inst, 1).word == kFPFastMathDefault; });
}

}  // namespace varylink::passes
