// The third step of linking a group: modules become words again, and the words are checked.
#pragma once

#include "driver/group_records.h"

namespace varylink::driver {

// Writes the modules of linked interfaces into the records. A module whose interfaces stay as they are is passed
// through word for word. Results are validated and compared with the input; a pipeline with one that fails is rejected,
// and a module that only such pipelines use is not handed out. False if some module cannot be written
// (ModuleRecord::unwritable) and the group has to be linked without it.
bool write_group(GroupRecords& group);

// The results are the words that came in.
void pass_group_through(GroupRecords& group);

// The same for the pipelines with modules that cannot be read.
void pass_unread_through(GroupRecords& group);

// With LinkOptions::keep_spec_ids: declares the specialization constants that have become constants once more in the
// results. Nothing uses them, so that the checks still hold.
void keep_spec_ids(GroupRecords& group);

}  // namespace varylink::driver
