// `varylink diff`: what changed between two reports.
#include <algorithm>
#include <cstdio>

#include "cli/command.h"
#include "cli/messages.h"
#include "cli/settings/number_option.h"
#include "frontend/read_file.h"
#include "report/run_diff.h"

namespace varylink::cli {
namespace {

constexpr std::size_t kListed = 20;
constexpr int kStatusRegression = 9;

struct RegressionRow {
  const char* name;
  report::Regression kind;
  const char* text;
};
constexpr RegressionRow kRegressions[] = {{"worse", report::Regression::worse, "worse"},
                                          {"failing", report::Regression::failing, "failing now"},
                                          {"missing", report::Regression::missing, "missing"},
                                          {"changed", report::Regression::changed, "changed"}};

class DiffCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  int status_of(const report::RunDiff& diff) const;

  std::string before_, after_;
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
  app.add_option("--fail-on", fail_on_,
                 "end with exit status 9 if pipelines are worse in some measure or fail now, are failing now, are "
                 "missing in the second run, or are changed in any way")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"worse", "failing", "missing", "changed"}))
      ->type_name("WHAT,...");
}

// Says on standard error what --fail-on found.
int DiffCommand::status_of(const report::RunDiff& diff) const {
  int status = 0;
  for (const RegressionRow& row : kRegressions) {
    const std::size_t count = report::count_of(diff, row.kind);
    if (count == 0 || std::find(fail_on_.begin(), fail_on_.end(), row.name) == fail_on_.end()) continue;
    const std::string pipelines = std::to_string(count) + (count == 1 ? " pipeline is " : " pipelines are ");
    print_diagnostics({make_error(ErrorKind::none, after_, pipelines + row.text + " (--fail-on " + row.name + ")")});
    status = kStatusRegression;
  }
  return status;
}

int DiffCommand::run() {
  const Result<std::string> before = frontend::read_file(before_);
  if (!before) return report_failure(before.error());
  const Result<std::string> after = frontend::read_file(after_);
  if (!after) return report_failure(after.error());
  const Result<report::RunDiff> diff = report::diff_runs(*before, before_, *after, after_);
  if (!diff) return report_failure(diff.error());
  const report::TextStyle style = markdown_ ? report::TextStyle::markdown : report::TextStyle::plain;
  std::fputs(report::render(*diff, style, limit_).c_str(), stdout);
  return status_of(*diff);
}

}  // namespace

std::unique_ptr<Command> make_diff_command() { return std::make_unique<DiffCommand>(); }

}  // namespace varylink::cli
