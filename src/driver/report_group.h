// The last step of linking a group: writes the outcome of every component into the pipelines' results.
#pragma once

#include "driver/group_records.h"

namespace varylink::driver {

// Reports pipelines whose interfaces were linked and written.
void report_linked(GroupRecords& group);

// Reports pipelines that are passed through as they came.
void report_passed_through(GroupRecords& group);

// Takes the results out of the records.
link::LinkedGroup take_results(GroupRecords& group);

}  // namespace varylink::driver
