// That no report takes the place of a result, told before anything is linked.
#pragma once

#include <string>

#include "cli/files/report_files.h"
#include "cli/settings/inputs.h"
#include "cli/settings/link_settings.h"

namespace varylink::cli {

// Error (usage): a report is where a result of the collection may be, its dependency file, or what comes with it.
Result<void> check_report_names(const ReportFiles& reports, const Collection& collection, const LinkSettings& settings);

}  // namespace varylink::cli
