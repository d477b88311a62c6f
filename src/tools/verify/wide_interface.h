// Interfaces of 16 bits as interfaces of 32, for devices without storageInputOutput16.
//
//   out f16vec2 a;            out vec2 a;
//   a = h;              ->    a = vec2(h);
//   f(in_a)                   f(f16vec2(in_a))
//
// Each 16-bit number is a 32-bit one too: flat values stay as they are, interpolated ones are rounded afterwards, and
// attributes and attachments have 32 bits. Both sides of a comparison are rewritten alike.
#pragma once

#include <vector>

#include "base/result.h"
#include "link/model/pipeline.h"

namespace varylink::verify {

// The stages, of which those with 16 bits in their interfaces are rewritten. A stage stays as it is, with its
// capability, where code does something else than load, store and interpolate, or where captured data would change.
// Error: words that cannot be read.
Result<std::vector<link::StageInput>> with_wide_interfaces(std::vector<link::StageInput> stages);

}  // namespace varylink::verify
