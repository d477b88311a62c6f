// The parts of a JSON report that follow from its pipelines, so that a merged report has them like any other.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace varylink::report {

// The text of a report: `head`, then the pipelines, then what sums them up. With `lists_modules` also which pipelines
// use which result of each module.
std::string report_text(nlohmann::ordered_json head, nlohmann::ordered_json pipelines, bool lists_modules);

}  // namespace varylink::report
