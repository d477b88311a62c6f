// `varylink prove`: shows that linked pipelines do what the original ones do, for all inputs, without drawing anything.
#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/command.h"
#include "cli/messages.h"
#include "cli/put_text.h"
#include "cli/settings/counterparts.h"
#include "cli/settings/inputs.h"
#include "cli/settings/number_option.h"
#include "cli/settings/picture_check.h"
#include "prove/prove.h"
#include "report/proof_of_link.h"

namespace varylink::cli {
namespace {

class ProveCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  void prove_one(const PipelineSource& original, const PipelineSource& linked, const frontend::CompileOptions& compile);
  void report(const std::string& name, const prove::Proof& proof, double milliseconds);
  void print_summary() const;

  InputOptions inputs_;
  std::vector<std::string> against_;
  int level_ = 2;
  std::string layout_file_;
  std::optional<link::PipelineLayout> layout_;
  std::uint64_t budget_ = prove::ProveOptions{}.budget;
  bool json_ = false, quiet_ = false, timing_ = false;
  nlohmann::ordered_json pipelines_ = nlohmann::ordered_json::array();
  std::map<prove::Verdict, int> verdicts_;
  std::map<std::string, int> reasons_;
  int status_ = 0;
};

void ProveCommand::declare(CLI::App& app) {
  declare_inputs(app, inputs_);
  declare_against(app, against_);
  add_number(app, "-O", level_,
             "the semantics of the proof: 1: interpolation keeps what is equal at all vertices; 2 and 3: interpolation "
             "is linear, too",
             {{1, 3}})
      ->type_name("LEVEL")
      ->take_last()
      ->capture_default_str();
  app.add_option("--layout", layout_file_,
                 "what the pipeline layout gave to which stage when the pipelines were linked (docs/cli.md)")
      ->type_name("FILE.json");
  add_number(app, "--budget", budget_, "steps for each pipeline, after which it counts as not proved")
      ->type_name("STEPS")
      ->capture_default_str();
  app.add_flag("--json", json_, "print verdicts and what could not be proved as JSON instead of lines");
  app.add_flag("--timing", timing_, "put times into the JSON");
  app.add_flag("-q,--quiet", quiet_, "print only what is not proved");
  app.footer(
      "Exit status:\n"
      "  0  every pipeline is proved\n"
      "  1 to 5  as for link\n"
      "  6  a pipeline is refuted: it does something else\n"
      "  7  a pipeline is neither proved nor refuted\n"
      "With several pipelines the worst one counts. docs/proof.md tells what is proved, under which assumptions, and "
      "how to "
      "read what is not proved.");
}

void ProveCommand::report(const std::string& name, const prove::Proof& proof, double milliseconds) {
  ++verdicts_[proof.verdict];
  if (proof.verdict == prove::Verdict::refuted) status_ = worse_status(status_, kStatusDifferent);
  if (proof.verdict == prove::Verdict::not_proved) {
    ++reasons_[proof.reason];
    status_ = worse_status(status_, kStatusNotCovered);
  }
  if (json_) {
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    for (const prove::Finding& finding : proof.findings)
      findings.push_back({{"stage", short_name(finding.stage)},
                          {"what", finding.what},
                          {"verdict", prove::name_of(finding.verdict)},
                          {"original", finding.original},
                          {"linked", finding.linked},
                          {"witness", finding.witness}});
    pipelines_.push_back({{"name", name},
                          {"verdict", prove::name_of(proof.verdict)},
                          {"reason", proof.reason},
                          {"relies_on_undefined", proof.relies_on_undefined},
                          {"outputs", proof.outputs},
                          {"steps", proof.steps},
                          {"findings", findings}});
    if (timing_) pipelines_.back()["milliseconds"] = milliseconds;
    return;
  }
  if (quiet_ && proof.verdict == prove::Verdict::proved) return;
  const std::string prefix = inputs_.manifest.empty() ? "" : name + ": ";
  put_line(stdout,
           prefix + std::string(prove::name_of(proof.verdict)) + (proof.reason.empty() ? "" : ": " + proof.reason));
  for (const prove::Finding& finding : proof.findings) {
    put_line(stdout, "  " + std::string(short_name(finding.stage)) + " " + finding.what);
    put_line(stdout, "    original: " + finding.original);
    put_line(stdout, "    linked:   " + finding.linked);
  }
}

void ProveCommand::prove_one(const PipelineSource& original, const PipelineSource& linked,
                             const frontend::CompileOptions& compile) {
  const auto fail = [&](const Diagnostic& error) { status_ = worse_status(status_, report_failure(error)); };
  const Result<LoadedPair> pair = load_pair(original, linked, compile, inputs_, against_);
  if (!pair) return fail(pair.error());
  const link::PipelineInput &before = pair->original, &after = pair->linked;
  prove::ProveOptions options;
  options.semantics = level_ == 1 ? prove::Semantics::exact : prove::Semantics::linear;
  options.budget = budget_;
  options.facts = report::facts_of(before.state, before.layout ? before.layout : layout_);
  options.no_fragment = before.state.no_fragment;
  const auto start = std::chrono::steady_clock::now();
  const prove::Proof proof =
      prove::prove(report::proof_stages(before.stages), report::proof_stages(after.stages), options);
  report(original.name, proof,
         std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
}

void ProveCommand::print_summary() const {
  const auto count = [&](prove::Verdict verdict) {
    const auto found = verdicts_.find(verdict);
    return found == verdicts_.end() ? 0 : found->second;
  };
  std::printf("%d proved, %d not proved, %d refuted\n", count(prove::Verdict::proved),
              count(prove::Verdict::not_proved), count(prove::Verdict::refuted));
}

int ProveCommand::run() {
  const Result<frontend::CompileOptions> compile = compile_options_of(inputs_);
  if (!compile) return report_failure(compile.error());
  Result<std::optional<link::PipelineLayout>> layout = read_layout(layout_file_);
  if (!layout) return report_failure(layout.error());
  layout_ = std::move(*layout);
  const Result<std::vector<PipelineSource>> originals = pipelines_of(inputs_);
  if (!originals) return report_failure(originals.error());
  const Result<std::vector<PipelineSource>> linked = counterparts(*originals, inputs_, against_);
  if (!linked) return report_failure(linked.error());
  for (std::size_t i = 0; i < originals->size(); ++i) prove_one((*originals)[i], (*linked)[i], *compile);
  if (json_)
    std::printf("%s\n", pipelines_.dump(2).c_str());
  else if (!inputs_.manifest.empty() && !quiet_)
    print_summary();
  return status_;
}

}  // namespace

std::unique_ptr<Command> make_prove_command() { return std::make_unique<ProveCommand>(); }

}  // namespace varylink::cli
