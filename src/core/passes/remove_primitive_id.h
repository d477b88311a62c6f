// The primitive id that a geometry stage writes is of interest to the fragment stage only: nothing between them takes
// it. If no fragment stage of the interface loads it, the write goes, and with it the declaration on both sides (rule
//
#pragma once

#include "base/result.h"
#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> remove_primitive_id(link::Link& link, PassContext& context);

}  // namespace varylink::passes
