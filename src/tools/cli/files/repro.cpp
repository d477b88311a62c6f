#include "cli/files/repro.h"

#include "cli/files/output_files.h"
#include "report/run_options.h"

namespace varylink::cli {
namespace {

std::string shell_quoted(const std::string& text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

constexpr const char* kState = "/state.json";
constexpr const char* kCommand = "/command";

std::string module_file(const std::string& folder, Stage stage) {
  return folder + "/" + std::string(short_name(stage)) + ".spv";
}

}  // namespace

std::vector<std::string> repro_files(const std::string& folder) {
  std::vector<std::string> files = {folder + kState, folder + kCommand};
  for (int i = 0; i < kStageCount; ++i) files.push_back(module_file(folder, static_cast<Stage>(i)));
  return files;
}

Result<void> save_repro(const std::string& folder, const link::PipelineInput& pipeline,
                        const link::LinkOptions& options) {
  std::vector<OutputFile> files;
  std::string command = "varylink link";
  for (const link::StageInput& stage : pipeline.stages) {
    const std::string name(short_name(stage.stage));
    files.push_back({module_file(folder, stage.stage), bytes_of(stage.words)});
    command += " " + name + "=" + name + ".spv";
    if (!stage.entry_point.empty()) command += " -e " + shell_quoted(name + "=" + stage.entry_point);
  }
  if (pipeline.state != state::PipelineState{}) {
    files.push_back({folder + kState, state::to_json(pipeline.state) + "\n"});
    command += " --pipeline-state=state.json";
  }
  for (const auto& [option, value] : report::options_that_matter(options)) {
    // A profile of the user's own is a file, which is not kept.
    if (option == "--profile" && !analysis::find_profile(value)) continue;
    command += " " + option;
    if (!value.empty()) command += (option.size() == 2 ? "" : "=") + shell_quoted(value);
  }
  files.push_back({folder + kCommand, command + " -o out\n"});
  return write_files(files);
}

}  // namespace varylink::cli
