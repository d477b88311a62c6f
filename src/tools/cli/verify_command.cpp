// `varylink verify`: draws original and linked pipelines and compares the pictures.
#include <cstdio>

#include "cli/command.h"
#include "cli/messages.h"
#include "cli/put_text.h"
#include "cli/settings/counterparts.h"
#include "cli/settings/inputs.h"
#include "cli/settings/number_option.h"
#include "cli/settings/picture_check.h"

namespace varylink::cli {
namespace {

constexpr const char* kPictureGroup = "Drawing";

class VerifyCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  void check(const PipelineSource& original, const PipelineSource& linked, const frontend::CompileOptions& compile,
             PictureCheck& pictures);
  void print(const std::string& name, const std::string& text) const;

  InputOptions inputs_;
  std::vector<std::string> against_;
  PictureOptions pictures_;
  int level_ = 2;  // that the linked pipelines were linked at
  bool json_ = false, quiet_ = false;
  int status_ = 0;
};

void VerifyCommand::declare(CLI::App& app) {
  declare_inputs(app, inputs_);
  declare_against(app, against_);
  add_number(app, "-O", level_,
             "what the linked pipeline may differ by: 0: nothing; 1: interpolation of equal values becoming exact; "
             "2 and 3: rounding of arithmetic moved across interpolation",
             {{0, 3}})
      ->type_name("LEVEL")
      ->take_last()
      ->capture_default_str()
      ->group(kPictureGroup);
  declare_pictures(app, pictures_, kPictureGroup);
  app.add_flag("--json", json_, "print everything that was measured as JSON instead of lines");
  app.add_flag("-q,--quiet", quiet_, "print only what is not proved");
  app.footer(
      "Exit status:\n"
      "  0  every picture is identical or within the tolerance\n"
      "  1 to 5  as for link\n"
      "  6  a picture is different\n"
      "  7  a picture proves nothing: blank, constant, or not drawn\n"
      "  8  no usable Vulkan driver\n"
      "With several pipelines the worst one counts. docs/verification.md tells what is compared and how.");
}

void VerifyCommand::print(const std::string& name, const std::string& text) const {
  const std::string prefix = inputs_.manifest.empty() ? "" : name + ": ";
  if (!json_) put_line(stdout, prefix + text);
  std::fflush(stdout);
}

void VerifyCommand::check(const PipelineSource& original, const PipelineSource& linked,
                          const frontend::CompileOptions& compile, PictureCheck& pictures) {
  const auto fail = [&](const Diagnostic& error) {
    print_diagnostics({error}, original.name, !inputs_.manifest.empty());
    status_ = worse_status(status_, exit_status(error.kind));
  };
  const Result<LoadedPair> pair = load_pair(original, linked, compile, inputs_, against_);
  if (!pair) return fail(pair.error());
  const link::PipelineInput &before = pair->original, &after = pair->linked;
  const std::string text =
      pictures.compare(original.name, before.state, static_cast<link::Level>(level_), before.stages, after.stages);
  const bool proved = text.starts_with("identical") || text.starts_with("within");
  if (!quiet_ || !proved) print(original.name, text);
}

int VerifyCommand::run() {
  const Result<frontend::CompileOptions> compile = compile_options_of(inputs_);
  if (!compile) return report_failure(compile.error());
  const Result<std::vector<PipelineSource>> originals = pipelines_of(inputs_);
  if (!originals) return report_failure(originals.error());
  const Result<std::vector<PipelineSource>> linked = counterparts(*originals, inputs_, against_);
  if (!linked) return report_failure(linked.error());
  Result<PictureCheck> pictures = PictureCheck::start(pictures_);
  if (!pictures) {
    report_failure(pictures.error());
    return kStatusNoDriver;
  }
  for (std::size_t i = 0; i < originals->size(); ++i) check((*originals)[i], (*linked)[i], *compile, *pictures);
  if (json_)
    std::fputs(pictures->json().c_str(), stdout);
  else if (!inputs_.manifest.empty() && !quiet_)
    put_line(stdout, pictures->summary());
  return worse_status(status_, pictures->status());
}

}  // namespace

std::unique_ptr<Command> make_verify_command() { return std::make_unique<VerifyCommand>(); }

}  // namespace varylink::cli
