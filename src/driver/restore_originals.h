// Modules that linking need not have written anew: they are written as they came (rule ).
#pragma once

#include "driver/group_records.h"

namespace varylink::driver {

// Once all results are there. A module of whose varyings nothing went gets the input's words again, with the locations
// of the result, if
// - it has fewer functions and more code than the input: they were written out only to look at them; or
// - it has the locations of the input, and nothing is known of its pipelines' state that makes its code simpler.
// Not if a check then finds anything.
void restore_originals(GroupRecords& group);

}  // namespace varylink::driver
