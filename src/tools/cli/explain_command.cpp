// `varylink explain`: links a pipeline in memory and says in words what became of its varyings.
#include <cstdio>

#include "cli/batch/link_one.h"
#include "cli/command.h"
#include "cli/messages.h"
#include "cli/put_text.h"
#include "cli/settings/link_settings.h"
#include "report/explanation.h"

namespace varylink::cli {
namespace {

class ExplainCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  int print(const report::ReportEntry& record) const;

  LinkArguments arguments_;
  std::vector<std::string> locations_;
};

void ExplainCommand::declare(CLI::App& app) {
  app.add_option("--location", locations_,
                 "the component to explain, as the producer declares it: 4.x, or 4 for all of a location; may be given "
                 "several times; without it every component is explained")
      ->type_name("LOCATION[.COMPONENT]")
      ->allow_extra_args(false);
  declare_inputs(app, arguments_.inputs, false);
  declare_optimizing(app, arguments_);
}

int ExplainCommand::print(const report::ReportEntry& record) const {
  if (locations_.empty()) {
    put_text(stdout, report::explain(record, std::nullopt));
    return 0;
  }
  int status = 0;
  for (const std::string& location : locations_) {
    const Result<report::ComponentQuery> query = report::parse_query(location);
    if (!query) return report_failure(query.error());
    const std::string text = report::explain(record, *query);
    put_text(stdout, text);
    if (!text.empty()) continue;
    status = report_failure(make_error(ErrorKind::usage, "", "no output is declared at location " + location), status);
    if (!diagnostics_are_json()) put_text(stderr, report::declared_components(record));
  }
  return status;
}

int ExplainCommand::run() {
  if (arguments_.help_passes) {
    print_passes();
    return 0;
  }
  Result<LinkSettings> settings = settings_of(arguments_);
  if (!settings) return report_failure(settings.error());
  settings->draws_values = true;
  const Result<std::vector<PipelineSource>> sources = pipelines_of(arguments_.inputs);
  if (!sources) return report_failure(sources.error());
  const LinkOutcome outcome = link_one(sources->front(), *settings);
  print_diagnostics(outcome.record.diagnostics, outcome.record.name);
  if (!outcome.record.linked()) return exit_status(outcome.record.failure);
  return print(outcome.record);
}

}  // namespace

std::unique_ptr<Command> make_explain_command() { return std::make_unique<ExplainCommand>(); }

}  // namespace varylink::cli
