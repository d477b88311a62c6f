// `varylink analyze`: what linking could win for a shader whose partner is not known.
#include <algorithm>
#include <cstdio>

#include "cli/command.h"
#include "cli/messages.h"
#include "cli/put_text.h"
#include "cli/settings/link_settings.h"
#include "driver/link_pipeline.h"
#include "driver/stage_cost.h"
#include "driver/unknown_partner.h"
#include "report/text_report.h"

namespace varylink::cli {
namespace {

class AnalyzeCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  int analyze(const link::StageInput& stage, const LinkSettings& settings) const;
  int print_side(const link::StageInput& stage, const driver::PartnerBounds& bounds,
                 const LinkSettings& settings) const;

  LinkArguments arguments_;
};

void AnalyzeCommand::declare(CLI::App& app) {
  declare_inputs(app, arguments_.inputs, false);
  declare_optimizing(app, arguments_);
  declare_profile(app, arguments_, "Results");
  app.footer(
      "Each file is looked at alone. On each side it is linked with a stage made for it: with a producer whose outputs "
      "are\n"
      "all unknown, and with a consumer that reads everything. What goes then, goes with every partner. The bound "
      "says\n"
      "what could go at most.\n");
}

// A component as the list shows it: "2.z v.spare.z".
std::string label(const link::ComponentRecord& component, bool by_consumer) {
  const std::string& name = by_consumer ? component.consumer_name : component.producer_name;
  return varyings::text(component.old_slot) + (name.empty() ? "" : " " + name);
}

void print_gone(const link::InterfaceReport& interface, bool by_consumer) {
  for (const link::ComponentRecord& component : interface.components)
    if (component.outcome != link::Outcome::kept)
      put_line(stdout, "    " + label(component, by_consumer) + ": " + std::string(link::name_of(component.outcome)) +
                           ", " + component.reason);
}

// What the stage costs as it is, and as `linked` has it.
void print_cost(const link::StageInput& stage, const link::LinkedPipeline& linked,
                const analysis::CostProfile& profile) {
  report::StageRecord record;
  record.stage = stage.stage;
  record.cost_before = driver::stage_cost(stage, profile);
  for (const link::StageOutput& output : linked.stages)
    if (output.stage == stage.stage)
      record.cost_after = driver::stage_cost({stage.stage, stage.file, output.words, stage.entry_point}, profile);
  if (const std::string line = report::cost_line(record); !line.empty()) std::printf("    %s\n", line.c_str());
}

// What linking `pipeline` at the next -O would leave.
void print_next_level(const link::PipelineInput& pipeline, const link::LinkedPipeline& linked,
                      const LinkSettings& settings) {
  const std::optional<link::LinkOptions> options = at_next_level(settings.options);
  if (!options) return;
  const link::LinkedPipeline next = driver::link_pipeline(pipeline, *options);
  if (next.failure != ErrorKind::none) return;
  const report::NextLevel level{static_cast<int>(options->level), report::size_after(linked.interfaces),
                                report::size_after(next.interfaces)};
  std::printf("  %s\n", report::next_level_line(level).c_str());
}

// A producer can lose everything, if the consumer reads nothing.
void print_producer_bound(const link::StageInput& stage, const driver::PartnerBounds& bounds,
                          const LinkSettings& settings) {
  const link::LinkedPipeline& with_least = bounds.with_least;
  const link::InterfaceReport* least = driver::interface_at(with_least, stage.stage, bounds.side);
  if (least == nullptr) return;
  const bool is_control = stage.stage == Stage::tess_control;
  std::printf("  at most, with %s shader that reads nothing: components %u → %u\n",
              is_control ? "an evaluation" : "a fragment", least->before.components, least->after.components);
  print_cost(stage, with_least, settings.options.profile);
}

int AnalyzeCommand::print_side(const link::StageInput& stage, const driver::PartnerBounds& bounds,
                               const LinkSettings& settings) const {
  const bool is_consumer = bounds.side == varyings::Direction::input;
  const link::LinkedPipeline& linked = bounds.linked;
  print_diagnostics(linked.diagnostics, stage.file);
  if (linked.failure != ErrorKind::none) return exit_status(linked.failure);
  const link::InterfaceReport& interface = *driver::interface_at(linked, stage.stage, bounds.side);
  std::printf("  with every %s: %s\n", is_consumer ? "producer" : "consumer",
              report::interface_line(interface).c_str());
  print_gone(interface, is_consumer);
  print_cost(stage, linked, settings.options.profile);
  print_next_level(bounds.pipeline, linked, settings);
  if (is_consumer)
    std::printf("  at most, with a producer that writes constants: components %u → 0\n", interface.before.components);
  else
    print_producer_bound(stage, bounds, settings);
  return 0;
}

int AnalyzeCommand::analyze(const link::StageInput& stage, const LinkSettings& settings) const {
  const Result<std::vector<driver::PartnerBounds>> sides = driver::bounds_with_any_partners(stage, settings.options);
  if (!sides) return report_failure(sides.error());
  put_line(stdout, stage.file + " (" + std::string(short_name(stage.stage)) + ")");
  int status = 0;
  for (const driver::PartnerBounds& bounds : *sides) status = std::max(status, print_side(stage, bounds, settings));
  return status;
}

int AnalyzeCommand::run() {
  if (arguments_.help_passes) {
    print_passes();
    return 0;
  }
  arguments_.verbose = true;  // the stages are measured
  const Result<LinkSettings> settings = settings_of(arguments_);
  if (!settings) return report_failure(settings.error());
  const Result<std::vector<PipelineSource>> sources = pipelines_of(arguments_.inputs);
  if (!sources) return report_failure(sources.error());
  int status = 0;
  UnknownSpecIds unknown;
  for (const frontend::SourceFile& file : sources->front().files) {
    const Result<frontend::LoadedPipeline> loaded =
        load({.name = file.path, .files = {file}, .entry_points = sources->front().entry_points}, settings->compile);
    if (!loaded) {
      status = report_failure(loaded.error(), status);
      continue;
    }
    unknown.note(loaded->unknown_spec_ids);
    print_diagnostics(loaded->warnings, file.path);
    for (const link::StageInput& stage : loaded->pipeline.stages) status = std::max(status, analyze(stage, *settings));
  }
  print_diagnostics(unknown.warnings());
  return status;
}

}  // namespace

std::unique_ptr<Command> make_analyze_command() { return std::make_unique<AnalyzeCommand>(); }

}  // namespace varylink::cli
