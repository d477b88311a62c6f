#include "cli/run_page.h"

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/version.h"
#include "report/html_report.h"
#include "report/report_sums.h"

namespace varylink::cli {
namespace {

using PageJson = nlohmann::ordered_json;

// A pipeline that the library said nothing about.
PageJson without_report(const RunPipeline& pipeline) {
  PageJson stages = PageJson::array();
  std::istringstream names(pipeline.stages);
  for (std::string name; names >> name;) stages.push_back({{"stage", name}, {"file", ""}, {"entry_point", ""}});
  return {{"stages", std::move(stages)},
          {"interfaces", PageJson::array()},
          {"diagnostics", PageJson::array()},
          {"remarks", PageJson::array()}};
}

// As the page has it: what was not linked is "failed", and `failure` tells why.
PageJson page_json(const RunPipeline& pipeline) {
  PageJson json = PageJson::parse(pipeline.report, nullptr, false);
  const bool is_linked = pipeline.outcome == kLinkedOutcome || pipeline.outcome == kUnchangedOutcome;
  if (!json.is_object()) json = without_report(pipeline);
  json["name"] = pipeline.key.empty() ? pipeline.stages : pipeline.key;
  json["status"] = is_linked ? "linked" : "failed";
  json["failure"] = is_linked ? "none" : pipeline.reason.empty() ? pipeline.outcome : pipeline.reason;
  if (!is_linked) json["interfaces"] = PageJson::array();  // those of a result that the program did not get
  return json;
}

// Each pipeline once, by the line that says most: it may have been asked for in vain before it was linked, and only the
// first line behind a link has its report. Pipelines that were passed through unread have no key: one stands for those
// with its stages and reason.
std::vector<const RunPipeline*> distinct(const RunRecord& run) {
  std::vector<const RunPipeline*> list;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const RunPipeline& each : run.pipelines) {
    const bool is_read = !each.key.empty();
    const auto [place, is_new] =
        places.emplace(std::pair(is_read ? each.key : each.stages, is_read ? std::string() : each.reason), list.size());
    if (is_new)
      list.push_back(&each);
    else if (list[place->second]->report.empty() || !each.report.empty())
      list[place->second] = &each;
  }
  return list;
}

}  // namespace

std::string page_of(const RunRecord& run) {
  report::ReportText report(false);
  std::string text = report.begin(
      {{"schema", 1}, {"varylink", kVersion}, {"options", PageJson::object()}, {"run", run.pipelines.size()}});
  for (const RunPipeline* each : distinct(run)) {
    try {
      text += report.add(page_json(*each));
    } catch (const PageJson::exception&) {  // a report of another version of the layer
    }
  }
  return report::html_page(text + report.end());
}

}  // namespace varylink::cli
