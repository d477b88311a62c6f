// Loads and stores at a constant index outside of an array, vector or matrix.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Loads there may give any value: they become zero. Stores there go (rule ). Applies to variables whose memory
// nothing outside of the pipeline sees: inputs, outputs, locals, private and shared ones. Buffers keep their accesses,
// which robust access gives a meaning, and so do pointers that are handed to a function. Returns true if something
// changed.
bool remove_outside_accesses(Module& module);

}  // namespace varylink::spirv
