// What a stage says about its floating-point arithmetic.
#pragma once

#include "link/linked_stage.h"

namespace varylink::passes {

// The entry point has FPFastMathDefault: its loads are then not licensed to lose infinities, NaN and the sign of zero
// (rule F3).
bool states_float_environment(const link::LinkedStage& stage);

}  // namespace varylink::passes
