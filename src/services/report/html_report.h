// The report as one HTML page: everything is in the file, nothing is fetched, it works from the file system. The page
// is written as files in report/page, which cmake/embed_page.cmake puts into the program.
#pragma once

#include <span>
#include <string>

#include "report/json_report.h"

namespace varylink::report {

// The page holds the JSON report and a script that draws it: slot maps before and after side by side, coloured by
// outcome, the cost of each stage, every component with its reason, and for several pipelines a table that can be
// sorted. Names and messages reach the page as text only, whatever characters they hold. Same records, same text.
std::string html_report(const RunRecord& run, std::span<const ReportEntry> pipelines);

// The page of a report that is there as JSON.
std::string html_page(const std::string& json);

}  // namespace varylink::report
