// Captured blocks, structures, arrays and matrices as one variable for each scalar or vector that they have:
//
//   layout(xfb_buffer = 0) out Block {          layout(xfb_buffer = 0, xfb_offset = 0) out vec4 a;
//     layout(xfb_offset = 0) vec4 a;       ->   layout(xfb_buffer = 0, xfb_offset = 16) out vec4 b;
//     layout(xfb_offset = 16) vec4 b;
//   };
//
// Transform feedback sees the same bytes (rule ), and each of the variables can have a proxy
// (captured_read_proxies.h).
#pragma once

#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {

// Splits outputs that the producer captures and both sides declare alike, or only the producer declares, where the code
// of both sides reaches scalars and vectors with constants only. Outputs that are invariant or captured on another
// stream than 0 stay.
void split_captured(spirv::Module& producer, Entry& producer_entry, spirv::Module& consumer, Entry& consumer_entry);

// Has `variable` captured where the leaf is, from this component on.
void capture_like(spirv::Module& module, spirv::Id variable, const Leaf& leaf, std::uint32_t component);

}  // namespace varylink::varyings
