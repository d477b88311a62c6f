// Interface variables that keep their type: their decorations when the interface has been placed.
#pragma once

#include "varyings/scalarize/varying.h"

namespace varylink::varyings {

// Gives an unsplit output the interpolation qualifiers of the input that reads it, which has the same shape. They are
// inert, but both sides are to carry the same ones (rule ). Sample needs a capability that the producer need not
// have.
void adopt_interpolation(spirv::Module& module, const Varying& output, const Varying& reader);

// New Location and Component for an unsplit variable, of which `varying.slot` is the old place. A block may carry its
// locations on its members.
void relocate(spirv::Module& module, const Varying& varying, Slot place);

}  // namespace varylink::varyings
