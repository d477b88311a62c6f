// `varylink measure`: what a Vulkan driver compiles original and linked pipelines to.
#include <cstdio>

#include "cli/command.h"
#include "cli/messages.h"
#include "cli/put_text.h"
#include "cli/settings/counterparts.h"
#include "cli/settings/driver_measure.h"
#include "cli/settings/inputs.h"
#include "cli/settings/number_option.h"
#include "cli/settings/picture_check.h"

namespace varylink::cli {
namespace {

constexpr const char* kMeasureGroup = "Measuring";

class MeasureCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  void measure_one(const PipelineSource& original, const PipelineSource& linked,
                   const frontend::CompileOptions& compile, DriverMeasure& driver);

  InputOptions inputs_;
  std::vector<std::string> against_;
  MeasureOptions options_;
  bool json_ = false, quiet_ = false;
  int status_ = 0;
};

void MeasureCommand::declare(CLI::App& app) {
  declare_inputs(app, inputs_);
  declare_against(app, against_);
  declare_fail_above(app, options_.fail_above, kMeasureGroup);
  add_number(app, "--time-limit", options_.time_limit_s, "seconds that a driver gets for one pipeline",
             {{0.1, 86400.0}})
      ->type_name("S")
      ->capture_default_str()
      ->group(kMeasureGroup);
  app.add_flag("--json", json_, "print everything that the driver says as JSON instead of lines");
  app.add_flag("-q,--quiet", quiet_, "print only pipelines that got worse or could not be measured, and the summary");
  app.footer(
      "Exit status:\n"
      "  0  every pipeline is measured\n"
      "  1 to 5  as for link\n"
      "  6  a stage is worse by more than --fail-above, or the driver takes the original only\n"
      "  7  a pipeline could not be measured\n"
      "  8  no Vulkan driver with statistics\n"
      "With several pipelines the worst one counts. docs/measure.md tells what the figures mean and how to get "
      "drivers.");
}

void MeasureCommand::measure_one(const PipelineSource& original, const PipelineSource& linked,
                                 const frontend::CompileOptions& compile, DriverMeasure& driver) {
  const auto fail = [&](const Diagnostic& error) {
    print_diagnostics({error}, original.name, !inputs_.manifest.empty());
    status_ = worse_status(status_, exit_status(error.kind));
  };
  const Result<LoadedPair> pair = load_pair(original, linked, compile, inputs_, against_);
  if (!pair) return fail(pair.error());
  const link::PipelineInput &before = pair->original, &after = pair->linked;
  const DriverMeasure::Measured measured = driver.measure(original.name, before.state, before.stages, after.stages);
  if (json_ || (quiet_ && !measured.worse)) return;
  const std::string prefix = inputs_.manifest.empty() ? "" : original.name + ": ";
  for (const std::string& line : measured.lines) put_line(stdout, prefix + line);
  std::fflush(stdout);
}

int MeasureCommand::run() {
  const Result<frontend::CompileOptions> compile = compile_options_of(inputs_);
  if (!compile) return report_failure(compile.error());
  const Result<std::vector<PipelineSource>> originals = pipelines_of(inputs_);
  if (!originals) return report_failure(originals.error());
  const Result<std::vector<PipelineSource>> linked = counterparts(*originals, inputs_, against_);
  if (!linked) return report_failure(linked.error());
  options_.lists_pipelines = json_;
  Result<DriverMeasure> driver = DriverMeasure::start(options_);
  if (!driver) {
    report_failure(driver.error());
    return kStatusNoDriver;
  }
  for (std::size_t i = 0; i < originals->size(); ++i) measure_one((*originals)[i], (*linked)[i], *compile, *driver);
  if (json_)
    std::fputs(driver->json().c_str(), stdout);
  else if (!inputs_.manifest.empty())
    put_text(stdout, driver->summary());
  return worse_status(status_, driver->status());
}

}  // namespace

std::unique_ptr<Command> make_measure_command() { return std::make_unique<MeasureCommand>(); }

}  // namespace varylink::cli
