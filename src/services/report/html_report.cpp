#include "report/html_report.h"

#include "report/page.h"

namespace varylink::report {
namespace {

// A '<' might end the script element the text stands in. In JSON it occurs inside strings only, where it may be written
// so.
std::string for_script_element(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

}  // namespace

std::string html_page(const std::string& json) {
  std::string page(kPageBeforeReport);
  page += '\n';
  page += for_script_element(json);
  page += kPageBehindReport;
  return page;
}

std::string html_report(const RunRecord& run, std::span<const ReportEntry> pipelines) {
  return html_page(json_report(run, pipelines));
}

}  // namespace varylink::report
