#pragma once

#include "passes/pass.h"

namespace varylink::passes {

// Removes scalar varyings whose value every producer computes from constants and uniform buffers alone, and lets the
// consumers compute it themselves, once, at the start. A uniform is the same in both stages if set, binding, offset and
// type are (rule ); it is read only by stages that read that buffer already, so that no stage flags of the
// pipeline layout have to change. A specialization constant is the same if all stages get the same specialization data
// and SpecId, type and default are (rule ); a consumer that lacks it gets it. Expressions that cost more than the
// amplification between the stages is worth stay (rule ).
Result<Progress> propagate_uniforms(link::Link& link, PassContext& context);

}  // namespace varylink::passes
