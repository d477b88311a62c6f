// Files that come with the results of a pipeline.
#pragma once

#include <vector>

#include "cli/settings/inputs.h"
#include "cli/settings/link_settings.h"

namespace varylink::cli {

// The companions of results at these paths; none without a folder for results. Error: io; usage, if one of them is a
// file that the run reads.
Result<std::vector<OutputFile>> companions_of(const CompanionFiles& companions, const LinkSettings& settings,
                                              const OutputPaths& results);

}  // namespace varylink::cli
