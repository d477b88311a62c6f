// Moves loads of inputs to where their values are needed.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Every load of an Input variable in the first block of `function`, and every extraction from such a load, moves down
// to the nearest block that dominates all its uses, though never into a loop. Inputs are read-only, so the value is the
// same; the register that holds it is needed for a shorter time. A load that is needed in its own block moves in front
// of its first use. Inputs that are not only loaded stay: lavapipe 22.3 takes the value at the centroid for the plain
// one if it interpolates there before it loads.
void sink_loads(Module& module, Id function);

}  // namespace varylink::spirv
