// The report as one HTML page: everything is in the file, nothing is fetched, it works from the file system.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/json_report.h"

namespace varylink::report {

// The page holds the JSON report and a script that draws it: slot maps before and after side by side, coloured by
// outcome, the cost of each stage, every component with its reason, and for several pipelines a table that can be
// sorted. Names and messages reach the page as text only, whatever characters they hold. Same records, same text.
std::string html_report(const RunRecord& run, std::span<const PipelineRecord> pipelines);

// The page of a report that is there as JSON.
std::string html_page(const std::string& json);

// The parts of the page that are always the same.
std::string_view html_style();
std::string_view html_graph_script();
std::string_view html_script();

}  // namespace varylink::report
