// Narrows the task payload to the members that the mesh stage needs.
//
//   task: p.color = c; p.debug = d;      ->      task: p.color = c;
//   mesh: p.color                        ->      mesh: p.color
//
// The payload is memory that both stages see through the same type (rule ), so it is declared anew on both sides
// with the members that are left, in their order. A member goes if no code loads it. A payload with atomics stays as it
// is. Copies of the whole payload have been split before (varyings/scalarize/code_forms.h).
//
// Here so that linking treats the interface in front of a mesh stage, too: no set of real pipelines has one.
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> shrink_task_payload(link::Link& link, PassContext& context);

}  // namespace varylink::passes
