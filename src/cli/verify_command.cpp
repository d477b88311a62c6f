// `varylink verify`: draws original and linked pipelines and compares the pictures.
#include <cstdio>
#include <filesystem>
#include <map>

#include "cli/command.h"
#include "cli/messages.h"
#include "cli/settings/inputs.h"
#include "cli/settings/manifest.h"
#include "cli/settings/picture_check.h"

namespace varylink::cli {
namespace {

constexpr const char* kPictureGroup = "Drawing";

Diagnostic usage(std::string message) { return make_error(ErrorKind::usage, "", std::move(message)); }

class VerifyCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  // The linked pipeline that belongs to an original one.
  Result<std::vector<PipelineSource>> counterparts(const std::vector<PipelineSource>& originals) const;
  Result<std::vector<PipelineSource>> counterparts_in_folder(const std::vector<PipelineSource>& originals) const;
  Result<std::vector<PipelineSource>> counterparts_in_manifest(const std::vector<PipelineSource>& originals) const;
  void check(const PipelineSource& original, const PipelineSource& linked, const frontend::CompileOptions& compile,
             PictureCheck& pictures);
  void print(const std::string& name, const std::string& text) const;

  InputOptions inputs_;
  std::vector<std::string> against_;
  PictureOptions pictures_;
  bool json_ = false, quiet_ = false;
  int status_ = 0;
};

void VerifyCommand::declare(CLI::App& app) {
  declare_inputs(app, inputs_);
  app.add_option("--against", against_,
                 "the linked pipeline: its files; with --manifest another manifest with the same names, or the folder "
                 "that link --manifest -o wrote")
      ->required()
      ->expected(1, -1)
      ->type_name("FILE...|DIR");
  app.add_option("-O", pictures_.level,
                 "what the linked pipeline may differ by: 0: nothing; 1: interpolation of equal values becoming exact; "
                 "2: rounding of arithmetic moved across interpolation")
      ->check(CLI::Range(0, 2))
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

Result<std::vector<PipelineSource>> VerifyCommand::counterparts(const std::vector<PipelineSource>& originals) const {
  if (inputs_.manifest.empty()) {
    InputOptions linked;
    linked.files = against_;
    return pipelines_of(linked);
  }
  if (against_.size() != 1) return usage("--against takes one manifest or folder with --manifest");
  std::error_code ignored;
  return std::filesystem::is_directory(against_.front(), ignored) ? counterparts_in_folder(originals)
                                                                  : counterparts_in_manifest(originals);
}

Result<std::vector<PipelineSource>> VerifyCommand::counterparts_in_folder(
    const std::vector<PipelineSource>& originals) const {
  std::vector<PipelineSource> result;
  for (const PipelineSource& original : originals) {
    PipelineSource linked;
    linked.name = original.name;
    linked.state = original.state;
    for (const frontend::SourceFile& file : original.files) {
      if (!file.stage) return usage(original.name + ": a stage is not known");
      const std::filesystem::path folder = std::filesystem::path(against_.front()) / original.name;
      linked.files.push_back(
          {(folder / (std::string(short_name(*file.stage)) + ".spv")).string(), file.stage, file.entry_point});
    }
    result.push_back(std::move(linked));
  }
  return result;
}

Result<std::vector<PipelineSource>> VerifyCommand::counterparts_in_manifest(
    const std::vector<PipelineSource>& originals) const {
  Result<std::vector<PipelineSource>> others = read_manifest(against_.front());
  if (!others) return others.error();
  std::map<std::string, const PipelineSource*> by_name;
  for (const PipelineSource& other : *others) by_name[other.name] = &other;
  std::vector<PipelineSource> result;
  for (const PipelineSource& original : originals) {
    const auto found = by_name.find(original.name);
    if (found == by_name.end()) return usage(against_.front() + " has no pipeline '" + original.name + "'");
    result.push_back(*found->second);
  }
  return result;
}

void VerifyCommand::print(const std::string& name, const std::string& text) const {
  const std::string prefix = inputs_.manifest.empty() ? "" : name + ": ";
  if (!json_) std::printf("%s%s\n", prefix.c_str(), text.c_str());
  std::fflush(stdout);
}

void VerifyCommand::check(const PipelineSource& original, const PipelineSource& linked,
                          const frontend::CompileOptions& compile, PictureCheck& pictures) {
  const Result<frontend::LoadedPipeline> before = load(original, compile);
  const Result<frontend::LoadedPipeline> after = load(linked, compile);
  for (const auto* loaded : {&before, &after})
    if (!*loaded) status_ = worse_status(status_, report_failure(loaded->error()));
  if (!before || !after) return;
  const std::string text =
      pictures.compare(original.name, before->pipeline.state, before->pipeline.stages, after->pipeline.stages);
  const bool proved = text.starts_with("identical") || text.starts_with("within");
  if (!quiet_ || !proved) print(original.name, text);
}

int VerifyCommand::run() {
  const Result<frontend::CompileOptions> compile = compile_options_of(inputs_);
  if (!compile) return report_failure(compile.error());
  const Result<std::vector<PipelineSource>> originals = pipelines_of(inputs_);
  if (!originals) return report_failure(originals.error());
  const Result<std::vector<PipelineSource>> linked = counterparts(*originals);
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
    std::printf("%s\n", pictures->summary().c_str());
  return worse_status(status_, pictures->status());
}

}  // namespace

std::unique_ptr<Command> make_verify_command() { return std::make_unique<VerifyCommand>(); }

}  // namespace varylink::cli
