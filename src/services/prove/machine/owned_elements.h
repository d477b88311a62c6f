// Elements of memory that a workgroup shares, of which one invocation is the owner.
#pragma once

#include <vector>

#include "prove/terms/term.h"

namespace varylink::prove {

// Whether no two invocations of a workgroup store to one of the elements (stored_elements() in records.h): they are as
// many multiples of the invocation's number as lie between one and the next, each with what is the same for all. The
// number is LocalInvocationIndex; where the workgroup is a row it is LocalInvocationId.x as well.
bool have_one_owner_each(const Terms& terms, const std::vector<std::vector<Term>>& elements, bool is_row);

// Whether all of them are constant: any invocation may store there.
bool are_constant(const Terms& terms, const std::vector<std::vector<Term>>& elements);

}  // namespace varylink::prove
