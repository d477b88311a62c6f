// `varylink diff`: what changed between two reports.
#include <cstdio>

#include "cli/command.h"
#include "cli/messages.h"
#include "frontend/read_file.h"
#include "report/run_diff.h"

namespace varylink::cli {
namespace {

constexpr std::size_t kListed = 20;

class DiffCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  std::string before_, after_;
  bool markdown_ = false;
  std::size_t limit_ = kListed;
};

void DiffCommand::declare(CLI::App& app) {
  app.add_option("BEFORE", before_, "report of a run of link (--report FILE)")->type_name("")->required();
  app.add_option("AFTER", after_, "report of another run over the same pipelines")->type_name("")->required();
  app.add_flag("--markdown", markdown_, "print Markdown, to paste into a review");
  app.add_option("--limit", limit_, "at most so many pipelines in each list; 0: all")
      ->type_name("N")
      ->capture_default_str();
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
  return 0;
}

}  // namespace

std::unique_ptr<Command> make_diff_command() { return std::make_unique<DiffCommand>(); }

}  // namespace varylink::cli
