// Copies of the whole task payload split member by member, so that members can go on their own.
//
//   %p = OpLoad %Payload %payload    ->    %p0 = OpLoad %T0 %payload[0] ...  %p = OpCompositeConstruct %Payload %p0 ...
//   OpStore %payload %p              ->    %p0 = OpCompositeExtract %T0 %p 0  OpStore %payload[0] %p0 ...
#pragma once

#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// Rewrites all loads and stores of a whole payload structure in place, copies between memory first. Volatile ones stay.
void split_payload_copies(spirv::Module& module, const Entry& entry);

}  // namespace varylink::varyings
