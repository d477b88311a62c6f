// Reads and stores at a constant index outside of an array, vector or matrix.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// What is read there is any value: it becomes zero. What is stored there is not stored (rule ). Of variables
// whose memory nobody outside of the pipeline sees: inputs, outputs, locals, private and shared ones. Buffers keep
// their accesses, which robust access gives a meaning, and so do pointers that are handed to a function. Returns true
// if something changed.
bool remove_outside_accesses(Module& module);

}  // namespace varylink::spirv
