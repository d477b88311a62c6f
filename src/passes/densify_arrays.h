// Declares arrays that are indexed dynamically with fewer locations (varyings/lower/dense_array.h, rule ).
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

// Runs in front of placement: narrower arrays and arrays that came apart are better still.
Result<Progress> densify_arrays(link::Link& link, PassContext& context);

}  // namespace varylink::passes
