// `varylink check`: see docs/check.md.
#include <algorithm>
#include <cstdio>

#include "base/unsaid.h"
#include "check/check.h"
#include "check/issues_json.h"
#include "cli/batch/run_in_order.h"
#include "cli/command.h"
#include "cli/messages.h"
#include "cli/settings/inputs.h"
#include "cli/settings/number_option.h"
#include "cli/settings/read_limits.h"

namespace varylink::cli {
namespace {

struct CheckArguments {
  InputOptions inputs;
  bool maintenance4 = false;
  bool pipeline_library = false;
  bool strict = false;
  std::string limits;
  bool warnings_are_errors = false;
  bool quiet = false;
  unsigned jobs = 0;
};

struct Found : check::PipelineIssues {
  int status = 0;
  std::optional<std::set<std::uint32_t>> unknown_spec_ids;
};

std::uint64_t count(const Found& found, Severity severity) {
  const auto is = [&](const Diagnostic& diagnostic) { return diagnostic.severity == severity; };
  const auto reading = std::count_if(found.reading.begin(), found.reading.end(), is);
  const auto issues = std::count_if(found.issues.begin(), found.issues.end(),
                                    [&](const check::Issue& issue) { return is(issue.diagnostic); });
  return static_cast<std::uint64_t>(reading + issues);
}

Found check_one(const PipelineSource& source, const frontend::CompileOptions& compile,
                const check::CheckOptions& options) {
  Found found;
  found.name = source.name;
  Diagnostics messages;
  const Result<frontend::LoadedPipeline> loaded = load(source, compile, &messages);
  if (!loaded) {
    add_unsaid(messages, loaded.error());
    found.reading = std::move(messages);
    found.status = exit_status(loaded.error().kind);
    return found;
  }
  found.reading = loaded->warnings;
  found.unknown_spec_ids = loaded->unknown_spec_ids;
  found.issues = check::check_pipeline(loaded->pipeline, options);
  found.status = exit_status(check::worst_kind(found.issues));
  return found;
}

class CheckCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  Result<check::CheckOptions> options() const;
  void print(const std::vector<Found>& all) const;
  void print_summary(const std::vector<Found>& all) const;

  CheckArguments arguments_;
};

void CheckCommand::declare(CLI::App& app) {
  declare_inputs(app, arguments_.inputs);
  constexpr const char* kRules = "Rules";
  app.add_flag("--maintenance4", arguments_.maintenance4,
               "the application enables maintenance4: an input may be a shorter vector than its output")
      ->group(kRules);
  app.add_flag("--pipeline-library", arguments_.pipeline_library,
               "the stages are linked from pipeline libraries, where interpolation decorations have to agree")
      ->group(kRules);
  app.add_flag("--strict", arguments_.strict,
               "errors, not warnings, for all that the letter of the specification forbids, also where drivers and the "
               "validation layer take it")
      ->group(kRules);
  app.add_option("--limits", arguments_.limits,
                 "device limits as JSON (docs/check.md); the required minimums if not given")
      ->type_name("FILE")
      ->group(kRules);
  constexpr const char* kResults = "Results";
  app.add_flag("--werror", arguments_.warnings_are_errors, "treat warnings as errors")->group(kResults);
  app.add_flag("-q,--quiet", arguments_.quiet, "print no summary")->group(kResults);
  add_number(app, "-j", arguments_.jobs, "pipelines of a manifest checked at the same time; 0: one per processor")
      ->type_name("N")
      ->capture_default_str()
      ->group(kResults);
}

Result<check::CheckOptions> CheckCommand::options() const {
  check::CheckOptions options;
  options.validator = validator_options_of(arguments_.inputs);
  options.maintenance4 = arguments_.maintenance4;
  options.pipeline_library = arguments_.pipeline_library;
  options.strict = arguments_.strict;
  if (arguments_.limits.empty()) return options;
  const Result<check::Limits> limits = read_limits(arguments_.limits);
  if (!limits) return limits.error();
  options.limits = *limits;
  return options;
}

void CheckCommand::print(const std::vector<Found>& all) const {
  for (const Found& found : all) print_issues(found, !arguments_.inputs.manifest.empty());
  const auto is_judged = [](const Found& found) {
    return is_of_validator(found.reading) ||
           std::any_of(found.issues.begin(), found.issues.end(),
                       [](const check::Issue& issue) { return is_of_validator({issue.diagnostic}); });
  };
  if (diagnostics_are_json()) return;
  if (std::any_of(all.begin(), all.end(), is_judged)) print_validator();
  if (!arguments_.quiet) print_summary(all);
}

void CheckCommand::print_summary(const std::vector<Found>& all) const {
  std::uint64_t clean = 0, errors = 0, warnings = 0;
  for (const Found& found : all) {
    errors += count(found, Severity::error);
    warnings += count(found, Severity::warning);
    if (count(found, Severity::error) + count(found, Severity::warning) == 0) ++clean;
  }
  std::printf("%zu pipeline%s, %llu clean, %llu errors, %llu warnings\n", all.size(), all.size() == 1 ? "" : "s",
              static_cast<unsigned long long>(clean), static_cast<unsigned long long>(errors),
              static_cast<unsigned long long>(warnings));
}

int CheckCommand::run() {
  const Result<check::CheckOptions> checking = options();
  if (!checking) return report_failure(checking.error());
  Result<frontend::CompileOptions> compile = compile_options_of(arguments_.inputs);
  if (!compile) return report_failure(compile.error());
  compile->debug_info = true;  // for the lines; nothing that is compiled here is kept
  const Result<std::vector<PipelineSource>> sources = pipelines_of(arguments_.inputs);
  if (!sources) return report_failure(sources.error());

  std::vector<Found> all(sources->size());
  const auto check = [&](std::size_t i) { all[i] = check_one((*sources)[i], *compile, *checking); };
  run_in_order(all.size(), arguments_.jobs, check, {});
  print(all);
  UnknownSpecIds unknown;
  for (const Found& found : all)
    if (found.unknown_spec_ids) unknown.note(*found.unknown_spec_ids);
  print_diagnostics(unknown.warnings());
  int status = arguments_.warnings_are_errors && !unknown.warnings().empty() ? exit_status(ErrorKind::usage) : 0;
  for (const Found& found : all) {
    status = std::max(status, found.status);
    if (arguments_.warnings_are_errors && count(found, Severity::warning) != 0)
      status = std::max(status, exit_status(ErrorKind::interface_mismatch));
  }
  return status;
}

}  // namespace

std::unique_ptr<Command> make_check_command() { return std::make_unique<CheckCommand>(); }

}  // namespace varylink::cli
