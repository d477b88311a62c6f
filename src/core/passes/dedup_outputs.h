// Makes varyings that always carry the same value share one slot.
//
//   a = v;  b = v;      f(a, b)        ->        a = v;      f(a, a)
//
// Two slots are merged when, in every producer, the same value goes to both at every exit (rule; "at every exit"
// because a value stored on one path only is not a duplicate of one stored on all), and the consumers interpolate both
// alike. The lower slot stays, so that the result does not depend on the order of the stores. The merged varying is
// RelaxedPrecision only if both were (rule ). Streams other than 0 only feed transform feedback and are left
// alone (rule ), as are outputs that the producer reads back. Where a captured output has the value of an input,
// the consumer reads that, whether or not it did before (rule ).
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> dedup_outputs(link::Link& link, PassContext& context);

}  // namespace varylink::passes
