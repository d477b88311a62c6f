// `varylink diff`: what changed between two reports.
#include <algorithm>
#include <cstdio>

#include "cli/command.h"
#include "cli/messages.h"
#include "cli/put_text.h"
#include "cli/settings/number_option.h"
#include "frontend/read_file.h"
#include "report/run_diff.h"
#include "report/run_limits.h"

namespace varylink::cli {
namespace {

constexpr std::size_t kListed = 20;
constexpr int kStatusRegression = 9;

class DiffCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  Result<void> read_limits();
  int status_of(const report::RunDiff& diff) const;
  int judge(const std::vector<std::string>& beyond, const std::string& option) const;

  std::string before_, after_, budgets_file_;
  std::vector<report::GrowthLimit> growth_;
  std::vector<report::Budget> budgets_;
  bool markdown_ = false;
  std::vector<std::string> fail_on_;
  std::size_t limit_ = kListed;
};

void DiffCommand::declare(CLI::App& app) {
  app.add_option("BEFORE", before_, "report of a run of link (--report FILE)")->type_name("")->required();
  app.add_option("AFTER", after_, "report of another run over the same pipelines")->type_name("")->required();
  app.add_flag("--markdown", markdown_, "print Markdown, to paste into a review");
  add_number(app, "--limit", limit_, "at most so many pipelines in each list; 0: all")
      ->type_name("N")
      ->capture_default_str();
  app.add_option(
         "--fail-on", fail_on_,
         "end with exit status 9 if pipelines are worse in some measure or fail now (worse), are failing now "
         "(failing), are missing in the second run (missing), are changed in any way (changed), or if a measure of "
         "one grows by more than this: components>0, fragment-work>2% (docs/cli.md)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("WHAT|MEASURE>N[%],...");
  app.add_option(
         "--budgets", budgets_file_,
         "end with exit status 9 if a pipeline of the second run comes to more than this JSON gives to pipelines of "
         "its name (docs/cli.md)")
      ->type_name("FILE");
}

// All of --fail-on that is no plain word, and the file of --budgets.
Result<void> DiffCommand::read_limits() {
  for (const std::string& what : fail_on_) {
    if (std::any_of(report::kRegressions.begin(), report::kRegressions.end(),
                    [&](const auto& row) { return row.name == what; }))
      continue;
    Result<report::GrowthLimit> limit = report::parse_growth_limit(what);
    if (!limit) return limit.error();
    growth_.push_back(std::move(*limit));
  }
  if (budgets_file_.empty()) return {};
  const Result<std::string> text = frontend::read_file(budgets_file_);
  if (!text) return text.error();
  Result<std::vector<report::Budget>> budgets = report::parse_budgets(*text, budgets_file_);
  if (!budgets) return budgets.error();
  budgets_ = std::move(*budgets);
  return {};
}

// Says which pipelines are beyond a limit. Returns the status.
int DiffCommand::judge(const std::vector<std::string>& beyond, const std::string& option) const {
  if (beyond.empty()) return 0;
  Diagnostics found;
  const std::size_t shown = limit_ == 0 ? beyond.size() : std::min(limit_, beyond.size());
  for (std::size_t i = 0; i < shown; ++i)
    found.push_back(make_error(ErrorKind::none, after_, beyond[i] + " (" + option + ")"));
  if (shown < beyond.size())
    found.push_back(
        make_error(ErrorKind::none, after_, std::to_string(beyond.size() - shown) + " more (" + option + ")"));
  print_diagnostics(found);
  return kStatusRegression;
}

// Says on standard error what --fail-on found.
int DiffCommand::status_of(const report::RunDiff& diff) const {
  int status = 0;
  for (const report::RegressionName& row : report::kRegressions) {
    const std::size_t count = report::count_of(diff, row.kind);
    if (count == 0 || std::find(fail_on_.begin(), fail_on_.end(), row.name) == fail_on_.end()) continue;
    const std::string pipelines = std::to_string(count) + (count == 1 ? " pipeline is " : " pipelines are ");
    print_diagnostics({make_error(ErrorKind::none, after_, pipelines + row.text + " (--fail-on " + row.name + ")")});
    status = kStatusRegression;
  }
  for (const report::GrowthLimit& limit : growth_)
    status = std::max(status, judge(report::beyond(diff, limit), "--fail-on " + limit.text));
  return std::max(status, judge(report::beyond(diff, budgets_), "--budgets"));
}

int DiffCommand::run() {
  if (const Result<void> limits = read_limits(); !limits) return report_failure(limits.error());
  const Result<std::string> before = frontend::read_file(before_);
  if (!before) return report_failure(before.error());
  const Result<std::string> after = frontend::read_file(after_);
  if (!after) return report_failure(after.error());
  const Result<report::RunDiff> diff = report::diff_runs(*before, before_, *after, after_);
  if (!diff) return report_failure(diff.error());
  const report::TextStyle style = markdown_ ? report::TextStyle::markdown : report::TextStyle::plain;
  put_text(stdout, report::render(*diff, style, limit_));
  return status_of(*diff);
}

}  // namespace

std::unique_ptr<Command> make_diff_command() { return std::make_unique<DiffCommand>(); }

}  // namespace varylink::cli
