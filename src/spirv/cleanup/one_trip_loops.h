// Loops that are none: do { ... } while (false), as macros are written.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Takes the loop away from code that runs exactly once because the condition to go back is constant, so that a loop
// around it can be unrolled. Only where nothing inside breaks or continues: the single way out is the one at the end.
// Returns whether something changed.
bool open_one_trip_loops(Module& module);

}  // namespace varylink::spirv
