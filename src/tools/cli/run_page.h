// The pipelines of a program as a page, like those of a manifest.
#pragma once

#include <string>

#include "cli/run_summary.h"

namespace varylink::cli {

// The page of `link --html`, with each distinct pipeline once, named by its key, and the reason of each that was passed
// through. Needs a journal with details.
std::string page_of(const RunRecord& run);

}  // namespace varylink::cli
