// `varylink run`: a program as it is, with the Vulkan layer in it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/files/output_files.h"
#include "cli/files/report_files.h"
#include "cli/installed_layers.h"
#include "cli/messages.h"
#include "cli/put_text.h"
#include "cli/run_page.h"
#include "cli/run_progress.h"
#include "cli/run_summary.h"
#include "cli/settings/number_option.h"
#include "cli/settings/usage.h"
#include "frontend/read_file.h"
#include "platform/file_system.h"
#include "platform/path.h"
#include "platform/program.h"
#include "platform/run_program.h"
#include "platform/temporary_folder.h"
#include "store/link_cache.h"

namespace varylink::cli {
namespace {

constexpr const char* kLayer = "VK_LAYER_VARYLINK_link";
constexpr const char* kManifest = "VkLayer_varylink.json";
constexpr const char* kFossilizeLayer = "VK_LAYER_fossilize";
constexpr int kCannotRun = 127;  // as shells have it

using Variables = std::vector<std::pair<std::string, std::string>>;

// `first` in front of what the variable holds already.
std::string with(const char* variable, const std::string& first) {
  const char* value = std::getenv(variable);
  return value == nullptr || *value == '\0' ? first : first + ":" + value;
}

// The folder of the layer's manifest: that of the build, or where it is installed beside the command.
std::string layer_folder() {
  const std::string own = platform::program_folder();
  if (own.empty()) return {};
  for (const char* folder : {"layer", "../share/vulkan/explicit_layer.d"}) {
    const std::string candidate = platform::normal(platform::joined(own, folder));
    if (platform::kind_of(platform::joined(candidate, kManifest)) == platform::FileKind::regular) return candidate;
  }
  return {};
}

CLI::Validator has_name(const std::string& kind) {
  return {[kind](std::string& name) { return name.empty() ? "the name of the " + kind + " is empty" : std::string(); },
          ""};
}

// Such a name is a variable of a shell that is not set, and would be as if the option was not there.
void refuse_empty_names(CLI::App& app) {
  for (const char* option : {"--record", "--use", "--cache"}) app.get_option(option)->check(has_name("folder"));
  for (const char* option : {"--report", "--html"}) app.get_option(option)->check(has_name("file"));
}

class RunCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  void say_what_next() const;
  platform::ProgramEnd run_program(const std::string& folder, const std::string& journal) const;
  std::string dump_path() const { return platform::joined(record_, "recorded"); }
  std::vector<std::string> databases() const;
  void say_databases(const std::vector<std::string>& before) const;
  Variables variables(const std::string& folder, const std::string& journal) const;

  std::vector<std::string> program_;
  std::string record_, use_, cache_;  // folders
  std::optional<std::uint64_t> cache_limit_mib_, budget_;
  bool link_ = false, fossilize_ = false, assume_single_pass_ = false, hide_libraries_ = false, quiet_ = false;
  int level_ = 1;
  std::string report_, html_;
};

void RunCommand::declare(CLI::App& app) {
  app.add_option("PROGRAM", program_, "the program and its arguments, behind --")->required()->type_name("");
  auto* record = app.add_option("--record", record_,
                                "change nothing, and write each distinct pipeline to a manifest with its modules")
                     ->type_name("DIR")
                     ->group("What becomes of pipelines");
  app.add_flag("--fossilize", fossilize_,
               "have Fossilize's layer, if it is installed, write its database to DIR as well")
      ->needs(record)
      ->group("What becomes of pipelines");
  auto* use = app.add_option("--use", use_, "use what `varylink link --manifest` wrote to DIR for recorded pipelines")
                  ->type_name("DIR")
                  ->excludes(record)
                  ->group("What becomes of pipelines");
  app.add_flag("--link", link_,
               "link each pipeline when the program creates it; so it is unless something else is said")
      ->excludes(record)
      ->excludes(use)
      ->group("What becomes of pipelines");
  app.add_option("-O", level_, "what linking may do: 0 to 3, as for link")
      ->check(CLI::Range(0, 3))
      ->type_name("LEVEL")
      ->capture_default_str()
      ->group("What becomes of pipelines");
  auto* cache = app.add_option("--cache", cache_, "keep what linking gives in this folder and take it from there")
                    ->type_name("DIR")
                    ->excludes(record)
                    ->excludes(use)
                    ->group("What becomes of pipelines");
  add_number(app, "--cache-limit", cache_limit_mib_,
             "after the run, remove what was not used for longest until the cache takes no more than this",
             {{0, std::numeric_limits<std::uint64_t>::max() / store::kMib}})
      ->type_name("MIB")
      ->needs(cache)
      ->group("What becomes of pipelines");
  add_number(app, "--link-budget", budget_,
             "pass a pipeline through if linking it takes more steps; with --cache it is linked in the background for "
             "the next run")
      ->type_name("STEPS")
      ->excludes(record)
      ->excludes(use)
      ->group("What becomes of pipelines");
  app.add_flag("--assume-single-pass", assume_single_pass_,
               "no two pipelines draw the same triangles: positions may be computed by other instructions than before")
      ->group("What becomes of pipelines");
  app.add_flag(
         "--hide-libraries", hide_libraries_,
         "the program does not see pipeline libraries, shader objects, module identifiers and pipeline binaries, so "
         "that it makes its pipelines whole")
      ->group("What becomes of pipelines");
  app.add_option("--report", report_, "write what became of each pipeline as JSON")
      ->type_name("FILE")
      ->group("Results");
  app.add_option("--html", html_, "write a page of the pipelines, before and after")
      ->type_name("FILE")
      ->group("Results");
  app.add_flag("-q,--quiet", quiet_, "no summary")->group("Results");
  refuse_empty_names(app);
  app.footer(
      "The summary goes to standard error when the program has ended. The exit status is that of the program, and 128 "
      "+ N if signal N ended it; 127 if it cannot be started, 1 to 5 as for link if nothing was started. "
      "docs/layer.md tells what the layer does and its settings.");
}

Variables RunCommand::variables(const std::string& folder, const std::string& journal) const {
  // Recording changes no module, so that Fossilize sees the program's own wherever loaders put it.
  const std::string layers = fossilize_ ? std::string(kFossilizeLayer) + ":" + kLayer : kLayer;
  Variables list = {{"VK_INSTANCE_LAYERS", with("VK_INSTANCE_LAYERS", layers)},
                    {"VK_ADD_LAYER_PATH", with("VK_ADD_LAYER_PATH", folder)},
                    {"VK_VARYLINK_LINK_MODE", !record_.empty() ? "record"
                                              : !use_.empty()  ? "use"
                                                               : "link"},
                    {"VK_VARYLINK_LINK_FOLDER", !record_.empty() ? record_ : use_},
                    {"VK_VARYLINK_LINK_LEVEL", std::to_string(level_)},
                    {"VK_VARYLINK_LINK_ASSUME_SINGLE_PASS", assume_single_pass_ ? "true" : "false"},
                    {"VK_VARYLINK_LINK_HIDE_LIBRARIES", hide_libraries_ ? "true" : "false"},
                    {"VK_VARYLINK_LINK_CACHE", cache_},
                    {"VK_VARYLINK_LINK_BUDGET", budget_ ? std::to_string(*budget_) : std::string()},
                    {"VK_VARYLINK_LINK_DETAILS", html_.empty() ? "false" : "true"},
                    {"VK_VARYLINK_LINK_JOURNAL", journal}};
  if (fossilize_) list.emplace_back("FOSSILIZE_DUMP_PATH", dump_path());
  // Where this is set, loaders do not look at the other.
  if (std::getenv("VK_LAYER_PATH") != nullptr) list.emplace_back("VK_LAYER_PATH", with("VK_LAYER_PATH", folder));
  return list;
}

void RunCommand::say_what_next() const {
  std::fprintf(stderr,
               "  varylink link @%s/options.txt --manifest %s/manifest.jsonl -O1 -o OUT   links what was recorded\n",
               record_.c_str(), record_.c_str());
}

platform::ProgramEnd RunCommand::run_program(const std::string& folder, const std::string& journal) const {
  RunProgress progress(journal, !quiet_);
  std::function<void()> look;
  if (progress.shown()) look = [&progress] { progress.look(); };
  return platform::run_program(program_, variables(folder, journal), look);
}

// Fossilize writes one for each process and set of features: DIR/recorded.HASH.NUMBER.foz.
std::vector<std::string> RunCommand::databases() const {
  std::vector<std::string> names;
  for (const platform::FileEntry& file : platform::files_in(record_, false))
    if (file.name.starts_with(dump_path() + ".") && file.name.ends_with(".foz")) names.push_back(file.name);
  std::sort(names.begin(), names.end());
  return names;
}

void RunCommand::say_databases(const std::vector<std::string>& before) const {
  bool is_any = false;
  for (const std::string& name : databases()) {
    if (std::binary_search(before.begin(), before.end(), name)) continue;
    std::fprintf(stderr, "  varylink link %s -o OUT   links what Fossilize recorded\n", name.c_str());
    is_any = true;
  }
  if (!is_any) std::fprintf(stderr, "varylink: Fossilize wrote no database\n");
}

int RunCommand::run() {
  ReportFiles outputs;
  for (const auto& [option, path] : {std::pair("--report", &report_), std::pair("--html", &html_)})
    if (const Result<void> added = outputs.add(option, *path); !added) return report_failure(added.error());
  // The program may look from another folder.
  for (std::string* each : {&record_, &use_, &cache_})
    if (!each->empty()) {
      if (each != &use_) (void)platform::make_folders(*each);
      *each = platform::real_name(*each);
    }
  const std::string folder = layer_folder();
  if (folder.empty())
    return report_failure(
        usage("the Vulkan layer of this command is not there: it was built without it, or on a "
              "system that has none (docs/layer.md)"));
  if (fossilize_ && !is_layer_installed(kFossilizeLayer))
    return report_failure(
        usage("--fossilize needs the Vulkan layer of Fossilize, and no manifest of VK_LAYER_fossilize is there: "
              "https://github.com/ValveSoftware/Fossilize has it; VK_ADD_LAYER_PATH may name the folder of its "
              "VkLayer_fossilize.json"));
  const std::vector<std::string> databases_before = fossilize_ ? databases() : std::vector<std::string>();
  const platform::TemporaryFolder temporary("varylink-run-");
  if (!temporary.is_there())
    return report_failure(make_error(ErrorKind::io, "", "no temporary folder can be made for what the layer says"));
  std::fflush(stdout);
  const std::string journal = temporary.path_of("journal.jsonl");
  const platform::ProgramEnd end = run_program(folder, journal);
  if (end.error != 0) {
    report_failure(
        make_error(ErrorKind::io, program_.front(), std::string("cannot be run: ") + std::strerror(end.error)));
    return kCannotRun;
  }
  const Result<std::string> text = frontend::read_file(journal);
  const RunRecord record = text ? read_journal(*text) : RunRecord();
  if (!quiet_) put_text(stderr, summary_of(record));
  if (!quiet_ && !record_.empty() && !record.pipelines.empty()) say_what_next();
  if (!quiet_ && fossilize_) say_databases(databases_before);
  if (cache_limit_mib_) store::LinkCache(cache_).evict(*cache_limit_mib_ * store::kMib);
  std::vector<OutputFile> files;
  if (!report_.empty()) files.push_back({report_, json_of(record)});
  if (!html_.empty()) files.push_back({html_, page_of(record)});
  const Result<void> written = write_files(files);
  return written ? end.status : report_failure(written.error(), end.status);
}

}  // namespace

std::unique_ptr<Command> make_run_command() { return std::make_unique<RunCommand>(); }

}  // namespace varylink::cli
