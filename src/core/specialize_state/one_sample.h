// With one sample per pixel every fragment input is interpolated to the same place.
#pragma once

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::specialize_state {

// Takes Centroid and Sample away from the inputs and outputs of the entry point (rule ). Whether there were any.
bool drop_sample_qualifiers(spirv::Module& module, const varyings::Entry& entry);

}  // namespace varylink::specialize_state
