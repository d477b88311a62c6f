#include "report/html_report.h"

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
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Varylink report</title>\n";
  // An icon of its own keeps browsers from asking for one.
  page += "<link rel=\"icon\" href=\"data:,\">\n<style>\n";
  page += html_style();
  page += "</style>\n</head>\n<body>\n<main id=\"page\"></main>\n";
  page +=
      "<noscript>This page draws its data with JavaScript; the same data as JSON: varylink link --report.</noscript>\n";
  page += "<script type=\"application/json\" id=\"report\">\n";
  page += for_script_element(json);
  page += "</script>\n<script>\n";
  page += html_graph_script();
  page += html_script();
  page += "</script>\n</body>\n</html>\n";
  return page;
}

std::string html_report(const RunRecord& run, std::span<const PipelineRecord> pipelines) {
  return html_page(json_report(run, pipelines));
}

}  // namespace varylink::report
