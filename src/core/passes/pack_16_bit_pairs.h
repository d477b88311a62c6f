// Sends two components of 16 bits as one of 32, where nothing is interpolated.
//
//   flat out float16_t a, b;   flat in float16_t a, b;
//     ->  flat out uint ab = bits of a | bits of b << 16;   flat in uint ab;  a = low half of ab;  b = high half
//
// Vulkan gives a component of 16 bits a slot of its own (Location and Component Assignment), which lets no driver share
// it unless it links as well. A pair takes one component, and a location with 32-bit values.
//
// Both components cross alike, are no capture, are stored together wherever one is stored (rules ), and the
// producer loads neither. Both stages compute with 16 bits, or the components are numbers of 32 bits that the
// producer converted from 16: packHalf2x16() and bitfieldInsert() need no capability. Cost: a few operations on either
// side of a pair.
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> pack_16_bit_pairs(link::Link& link, PassContext& context);

}  // namespace varylink::passes
