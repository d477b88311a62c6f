#include "cli/messages.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "cli/put_text.h"
#include "spirv/tools/tools.h"

namespace varylink::cli {
namespace {

constexpr const char* kOption = "--diagnostics";
constexpr const char* kJson = "json";

// What the process has to say. Only the thread that prints uses it.
struct Messages {
  std::string format = "text";
  bool are_result = false;  // the diagnostics are what the command is for
  Diagnostics of_run;
  std::vector<check::PipelineIssues> pipelines;
  std::map<std::string, std::size_t> places;  // in `pipelines`, by name

  check::PipelineIssues& of(const std::string& pipeline) {
    const auto [place, fresh] = places.emplace(pipeline, pipelines.size());
    if (fresh) pipelines.push_back({pipeline, {}, {}});
    return pipelines[place->second];
  }
};

Messages& messages() {
  static Messages all;
  return all;
}

void print(const Diagnostic& diagnostic, const std::string& prefix) { put_line(stderr, prefix + render(diagnostic)); }

}  // namespace

void declare_diagnostics(CLI::App& app) {
  const bool are_result = app.get_name() == "check";
  app.add_option(kOption, messages().format,
                 are_result ? "text on standard error, or json on standard output"
                            : "errors and warnings as text or as json, on standard error (docs/check.md)")
      ->check(CLI::IsMember({"text", kJson}))
      ->type_name("FORMAT")
      ->take_last()
      ->capture_default_str()
      ->group("Results");
}

bool diagnostics_are_json() { return messages().format == kJson; }

void choose_diagnostics(const std::vector<std::string>& arguments) {
  messages().are_result = !arguments.empty() && arguments.front() == "check";
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const bool apart = arguments[i] == kOption && i + 1 < arguments.size() && arguments[i + 1] == kJson;
    if (apart || arguments[i] == std::string(kOption) + "=" + kJson) messages().format = kJson;
  }
}

void print_diagnostics(const Diagnostics& diagnostics, const std::string& pipeline, bool is_batch) {
  print_issues({pipeline, diagnostics, {}}, is_batch);
}

void print_issues(const check::PipelineIssues& found, bool is_batch) {
  if (diagnostics_are_json()) {
    Diagnostics& reading = found.name.empty() ? messages().of_run : messages().of(found.name).reading;
    reading.insert(reading.end(), found.reading.begin(), found.reading.end());
    if (found.issues.empty()) return;
    std::vector<check::Issue>& issues = messages().of(found.name).issues;
    issues.insert(issues.end(), found.issues.begin(), found.issues.end());
    return;
  }
  const std::string prefix = is_batch ? found.name + ": " : std::string();
  for (const Diagnostic& diagnostic : found.reading) print(diagnostic, prefix);
  for (const check::Issue& issue : found.issues) print(issue.diagnostic, prefix);
}

bool is_of_validator(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), spirv::is_of_validator);
}

void print_validator() {
  if (diagnostics_are_json()) return;  // the document names it
  std::fprintf(stderr, "note: judged by the SPIR-V validator of %s\n", spirv::validator_name().c_str());
}

int report_failure(const Diagnostic& error, int status) {
  print_diagnostics({error});
  return std::max(status, exit_status(error.kind));
}

void flush_diagnostics() {
  if (!diagnostics_are_json()) return;
  const std::string text = check::issues_json(messages().pipelines, messages().of_run);
  std::fputs(text.c_str(), messages().are_result ? stdout : stderr);
}

}  // namespace varylink::cli
