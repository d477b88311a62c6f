// A control stage that loads its own outputs, of any vertex, often knows their values:
//
//   out vec4 w[];  w[gl_InvocationID] = 2.0 * u; barrier(); ... w[(gl_InvocationID + 1) % 3] ...     2.0 * u
//
// Loads of outputs that no invocation stores are zero (rule ), of those to which all invocations store one
// constant or one uniform expression are that (rule ), and of several that always hold the same only one is
// loaded (rule ). An output that no load keeps any more is a varying like others.
#pragma once

#include "base/result.h"
#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> read_own_outputs(link::Link& link, PassContext& context);

}  // namespace varylink::passes
