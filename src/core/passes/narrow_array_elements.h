// Narrows the vectors of arrays that stay unsplit because an index is dynamic.
//
//   out vec4 a[8];   in vec4 a[8]; f(a[i].xy)        ->        out vec2 a[8];   in vec2 a[8]; f(a[i])
//
// A component that no access in any consumer reads, whatever the element, goes from every element on both sides. Both
// sides are declared anew alike (rule ). Arrays that are copied as a whole, captured or interpolated at a point
// keep their type.
//
// Wins 216 of 2,700 components of 0 A.D., whose vertex shaders fill arrays of shadow coordinates (bench/README.md).
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> narrow_array_elements(link::Link& link, PassContext& context);

}  // namespace varylink::passes
