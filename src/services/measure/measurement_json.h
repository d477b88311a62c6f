// A measurement as JSON, for `varylink measure --json` and reports.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "measure/measurement.h"

namespace varylink::measure {

// {"before": [...], "after": [...], "changes": [...]}: every statistic of each executable under the driver's name, and
// for those in the table of figures how much worse they got. {"failure": "...", "onlyLinkedFails": ...} if nothing was
// measured.
nlohmann::ordered_json to_json(const Measurement& measurement);

}  // namespace varylink::measure
