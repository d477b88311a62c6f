// `varylink replace`: linked modules as the folder that gfxrecon-replay --replace-shaders takes.
#include "cli/command.h"
#include "cli/files/output_files.h"
#include "cli/messages.h"
#include "cli/put_text.h"
#include "cli/settings/captures.h"
#include "cli/settings/linked_results.h"
#include "formats/gfxreconstruct/replacements.h"
#include "platform/file_system.h"
#include "platform/path.h"

namespace varylink::cli {
namespace {

using formats::gfxreconstruct::Handle;
using formats::gfxreconstruct::Replacements;

class ReplaceCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  std::string file_of(Handle module) const { return platform::joined(folder_, "sh" + std::to_string(module)); }
  Result<void> check_folder(const formats::gfxreconstruct::Capture& capture, const Replacements& chosen) const;

  std::string capture_, from_, folder_;
};

void ReplaceCommand::declare(CLI::App& app) {
  app.add_option("CAPTURE", capture_, "the capture of GFXReconstruct (.gfxr) that was imported")
      ->required()
      ->type_name("");
  app.add_option("--from", from_,
                 "what linking the imported pipelines wrote: the folder of -o, or with --share the report")
      ->required()
      ->type_name("DIR|REPORT");
  app.add_option("-o", folder_, "folder for the modules, as gfxrecon-replay --replace-shaders takes it")
      ->required()
      ->type_name("DIR");
}

// A module of another run would be replaced, too.
Result<void> ReplaceCommand::check_folder(const formats::gfxreconstruct::Capture& capture,
                                          const Replacements& chosen) const {
  for (const auto& [module, words] : capture.modules)
    if (chosen.modules.count(module) == 0 && platform::kind_of(file_of(module)) != platform::FileKind::none)
      return make_error(ErrorKind::usage, file_of(module),
                        "is of another run, and would replace a module that stays: give -o an empty folder");
  return {};
}

int ReplaceCommand::run() {
  const Result<ReadCapture> read = read_capture(capture_);
  if (!read) return report_failure(read.error());
  print_diagnostics(read->warnings);
  const auto linked = read_linked_results(from_, read->capture);
  if (!linked) return report_failure(linked.error());
  const Replacements chosen = formats::gfxreconstruct::replacements_of(read->capture, *linked);
  if (const Result<void> checked = check_folder(read->capture, chosen); !checked)
    return report_failure(checked.error());
  std::vector<OutputFile> files;
  for (const auto& [module, words] : chosen.modules) files.push_back({file_of(module), bytes_of(*words)});
  if (const Result<void> written = write_files(files); !written) return report_failure(written.error());
  for (const auto& [reason, count] : chosen.kept) put_line(stdout, "kept: " + std::to_string(count) + "  " + reason);
  put_line(stdout, folder_ + ": " + std::to_string(files.size()) + " of " +
                       std::to_string(read->capture.modules.size()) + " modules replaced");
  return 0;
}

}  // namespace

std::unique_ptr<Command> make_replace_command() { return std::make_unique<ReplaceCommand>(); }

}  // namespace varylink::cli
