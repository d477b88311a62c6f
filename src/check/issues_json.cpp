#include "check/issues_json.h"

#include <nlohmann/json.hpp>

#include "spirv/tools/tools.h"

namespace varylink::check {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(std::string_view rule, const Diagnostic& diagnostic) {
  Json object;
  object["rule"] = rule;
  object["severity"] = name_of(diagnostic.severity);
  object["file"] = diagnostic.file;
  if (diagnostic.line > 0) object["line"] = diagnostic.line;
  if (!diagnostic.location.empty()) object["location"] = diagnostic.location;
  if (!diagnostic.vuid.empty()) object["vuid"] = diagnostic.vuid;
  object["message"] = diagnostic.message;
  return object;
}

Json to_json(const PipelineIssues& pipeline) {
  Json issues = Json::array();
  for (const Diagnostic& diagnostic : pipeline.reading) issues.push_back(to_json(reading_rule(diagnostic), diagnostic));
  for (const Issue& issue : pipeline.issues) issues.push_back(to_json(row_of(issue.rule).name, issue.diagnostic));
  return {{"name", pipeline.name}, {"issues", std::move(issues)}};
}

}  // namespace

const char* reading_rule(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::error ? "cannot-read" : "front-end";
}

std::string issues_json(std::span<const PipelineIssues> pipelines) {
  Json list = Json::array();
  for (const PipelineIssues& pipeline : pipelines) list.push_back(to_json(pipeline));
  // File names need not be UTF-8.
  const Json report = {{"validator", spirv::validator_name()}, {"pipelines", std::move(list)}};
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace varylink::check
