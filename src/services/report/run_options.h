// The options of a run as the report names them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "link/model/pipeline.h"
#include "share/shared_link.h"

namespace varylink::report {

// Options that decide what is linked how, as the command spells them, with their values and in a fixed order: for the
// report and for reproducers. Flags have the value "". File names are not among them.
std::vector<std::pair<std::string, std::string>> options_that_matter(const link::LinkOptions& options);

// Likewise, the options about pipelines that share modules: none where they share nothing.
std::vector<std::pair<std::string, std::string>> options_that_matter(const share::SharedRequest& request);

}  // namespace varylink::report
