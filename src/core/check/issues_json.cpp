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
  switch (diagnostic.kind) {
    case ErrorKind::none: return "front-end";
    case ErrorKind::interface_mismatch: return "interface-mismatch";
    case ErrorKind::verification_failed: return "verification-failed";
    case ErrorKind::usage:
    case ErrorKind::io:
    case ErrorKind::glsl:
    case ErrorKind::invalid_spirv:
    case ErrorKind::interrupted: return "cannot-read";
  }
  return "cannot-read";
}

std::string issues_json(std::span<const PipelineIssues> pipelines, const Diagnostics& of_run) {
  Json list = Json::array();
  for (const PipelineIssues& pipeline : pipelines) list.push_back(to_json(pipeline));
  Json all{{"validator", spirv::validator_name()}, {"pipelines", std::move(list)}};
  for (const Diagnostic& diagnostic : of_run)
    all["issues"].push_back(
        to_json(diagnostic.kind == ErrorKind::usage ? "usage" : reading_rule(diagnostic), diagnostic));
  // File names need not be UTF-8.
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace varylink::check
