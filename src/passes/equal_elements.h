// Arrays whose elements are all the same.
//
//   out vec4 a[8];  a = vec4[8](v, v, ...)     in vec4 a[8]; f(a[i])        ->        in vec4 a[8]; f(a[0])
//
// If every place that stores gives all elements one value, an unknown index in the fragment stage may as well be zero
// (rule ). Nothing keeps the array in one piece then, and what the elements carry is looked at as that of any
// other varying.
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> read_first_element(link::Link& link, PassContext& context);

}  // namespace varylink::passes
