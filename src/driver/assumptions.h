// Facts about the pipelines around them that the results of a group rely on.
#pragma once

#include "driver/group_records.h"

namespace varylink::driver {

// Fills in the assumptions of every pipeline that did not fail. To be called when all modules have their result.
// Facts that analyses ask for all over are assumed as soon as a module is written anew, whether or not they mattered.
void record_assumptions(GroupRecords& group, const link::GroupInput& input);

}  // namespace varylink::driver
