// Modules whose functions were written out at their calls only to look at them: they are written as they came (rule
//
#pragma once

#include "driver/group_records.h"

namespace varylink::driver {

// Once all results are there: a module that has fewer functions and more code than the input, and of whose varyings
// nothing went, gets the input's words again, with the locations of the result. Not if a check then finds anything.
void restore_functions(GroupRecords& group);

}  // namespace varylink::driver
