// The execution modes of a stage for floating-point arithmetic: rounding, denormals, infinities and NaN.
#pragma once

#include "link/model/linked_stage.h"

namespace varylink::link {

// The entry point has FPFastMathDefault: its loads are then not licensed to lose infinities, NaN and the sign of zero
// (rule ).
bool states_float_environment(const link::LinkedStage& stage);

// Both entry points treat denormals and round alike, so that float arithmetic gives the same in either (rule ).
bool share_float_modes(const link::LinkedStage& a, const link::LinkedStage& b);

// Float arithmetic may change from one stage to the other, and places with interpolation: they share their modes, and
// neither asks for infinities, NaN or the sign of zero (rule ).
bool may_move_floats(const link::LinkedStage& a, const link::LinkedStage& b);

// Halves may become floats and back in either stage: both leave rounding and denormals to the device, and neither asks
// for infinities, NaN or the sign of zero (rules ).
bool may_convert_halves(const link::LinkedStage& a, const link::LinkedStage& b);

}  // namespace varylink::link
