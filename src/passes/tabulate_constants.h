// Arrays that hold nothing but constants are tables, which the reading stage can have itself.
//
//   out vec2 a[4];  a[0] = vec2(0, 1); ...     in vec2 a[4]; f(a[i])        ->        const vec2 a[4] = {...}; f(a[i])
//
// What propagate_constants.h does for scalars, for arrays that an unknown index keeps in one piece (rule ): each
// element has the one constant that all stores give it. A control stage that loads such an array, at its own vertex or
// at another, has the table as well (rule ).
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> tabulate_constants(link::Link& link, PassContext& context);

}  // namespace varylink::passes
