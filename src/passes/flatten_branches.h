// Short branches whose results cross the interface become selections: a merged value has no place in the value graph, a
// selected one can move, be recognised in other stages, and needs no jump.
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

// if/else without side effects whose arms cost less than the jump around them saves, by the cost profile, and of which
// nothing feeds the position or another built-in output (rule ). Integer division, memory that
// may not be there (spirv/memory_reads.h), textures and everything else that must not run where it did not before stays
// under its condition.
Result<Progress> flatten_branches(link::Link& link, PassContext& context);

}  // namespace varylink::passes
