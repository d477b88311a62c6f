// Narrows the task payload to what the mesh stage needs.
//
//   task: p.color = c; p.scale = 2.0; p.debug = d;      ->      task: p.color = c;
//   mesh: p.color * p.scale                             ->      mesh: p.color * 2.0
//
// The payload is memory that both stages see through the same type (rule ), so it is declared anew on both sides
// with the members that are left, in their order. A member goes if no code loads it; or if the task stage only stores
// one constant to it, whichever invocation stores and how often, since what nothing was stored to is undefined. The
// constant then stands in the mesh stage. A payload with atomics stays as it is. Copies of the whole payload have been
// split before (varyings/lift/payload_copies.h).
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> trim_payload(link::Link& link, PassContext& context);

}  // namespace varylink::passes
