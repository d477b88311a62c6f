// Removes varyings that no consumer reads, component by component.
//
//   out float n.x, n.y, n.z;   in float n.x, n.y, n.z; f(n.x)      ->   out float n.x;   in float n.x; f(n.x)
//
// A component goes from both sides together (rule ), so that no input is ever left without an output
// (VUID-RuntimeSpirv-OpEntryPoint-08743). It stays when transform feedback captures it, when the producer reads it back
// itself across invocations, or when it is the last input with the Sample decoration (its mere presence may switch on
// sample shading; rule ). An input component that is read but never written becomes zero (rule ).
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> remove_dead_varyings(link::Link& link, PassContext& context);

}  // namespace varylink::passes
