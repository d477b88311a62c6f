// The first step of linking a group: which of its modules and pipelines can be worked on.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "driver/group_records.h"

namespace varylink::driver {

// Reads and validates every module and checks that the stages of each pipeline fit together; a pipeline that does not
// is rejected with the reason. Says which modules have to stay as they came, and gives the interfaces that the others
// share; `left_alone` are modules that have to beside those, with the reasons. `group` and `options` must outlive the
// result, whose records do not move any more: links point into them.
GroupRecords open_group(const link::GroupInput& group, const link::LinkOptions& options,
                        const std::map<std::size_t, std::string>& left_alone);

}  // namespace varylink::driver
