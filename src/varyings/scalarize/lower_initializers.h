// Initializers of outputs as the stores that they stand for, so that nothing else has to know about initializers.
//
//   %v = OpVariable %ptr Output %initial    ->    %v = OpVariable %ptr Output
//                                                 main: OpStore %v[0] %initial[0]  OpStore %v[1] %initial[1] ...
#pragma once

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// Takes the initializers off the outputs of the entry point and stores them where it starts, one scalar or vector at a
// time (rule ). Outputs that invocations share keep theirs, which every invocation of a workgroup or patch would
// store again: those of tessellation control and mesh stages. So does an array whose length a specialization constant
// decides.
void lower_initializers(spirv::Module& module, const Entry& entry);

}  // namespace varylink::varyings
