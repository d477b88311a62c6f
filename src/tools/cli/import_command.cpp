// `varylink import`: pipelines of other programs as a manifest, with modules as text; those of a capture as
// `varylink run --record` writes them.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "cli/command.h"
#include "cli/files/output_files.h"
#include "cli/messages.h"
#include "cli/put_text.h"
#include "cli/settings/captures.h"
#include "cli/settings/inputs.h"
#include "cli/settings/other_manifests.h"
#include "formats/create_info.h"
#include "formats/created_pipeline.h"
#include "frontend/read_file.h"
#include "frontend/source_kind.h"
#include "platform/path.h"
#include "spirv/entry_points/import_entries.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"

namespace varylink::cli {
namespace {

// The modules of all pipelines as files, each once.
class Modules {
 public:
  explicit Modules(std::string folder) : folder_(std::move(folder)) {}

  struct Imported {
    std::string name;  // of the file
    bool has_other_entry_points = false;
  };

  // What the module of a stage becomes. Errors: those of reading it.
  Result<Imported> add(const PipelineSource& source, const frontend::SourceFile& file);
  std::vector<OutputFile> take() { return std::move(files_); }

 private:
  static Result<formats::Words> words_of(const PipelineSource& source, const std::string& path);
  static Result<std::string> text_of(const formats::Words& words, const std::string& path);
  std::string free_name(const std::string& path, Stage stage);

  std::string folder_;
  std::map<std::pair<std::string, Stage>, Imported> imported_;
  std::set<std::string> taken_;
  std::vector<OutputFile> files_;
};

Result<formats::Words> Modules::words_of(const PipelineSource& source, const std::string& path) {
  const Result<std::string> bytes = source.module_bytes ? source.module_bytes(path) : frontend::read_file(path);
  if (!bytes) return bytes.error();
  return spirv::words_from_bytes(*bytes, path);
}

// Assembly, with the version that it is to be assembled for.
Result<std::string> Modules::text_of(const formats::Words& words, const std::string& path) {
  const std::string text = spirv::disassemble(words);
  if (text.empty()) return make_error(ErrorKind::invalid_spirv, path, "cannot be written as assembly");
  const std::uint32_t version = words[1];
  return "; SPIR-V\n; Version: " + std::to_string(version >> 16 & 0xff) + "." + std::to_string(version >> 8 & 0xff) +
         "\n" + text;
}

// "game.foz:0123" and "a/lit.frag.spv" -> "0123.frag.spvasm" and "lit.frag.spvasm"; with a number if that is taken.
std::string Modules::free_name(const std::string& path, Stage stage) {
  const std::string suffix = "." + std::string(short_name(stage));
  std::string base(frontend::base_name(path.substr(path.find_last_of(":/") + 1)));
  if (base.ends_with(suffix)) base.resize(base.size() - suffix.size());
  std::string name = base + suffix + ".spvasm";
  for (int i = 2; !taken_.insert(name).second; ++i) name = base + "-" + std::to_string(i) + suffix + ".spvasm";
  return name;
}

Result<Modules::Imported> Modules::add(const PipelineSource& source, const frontend::SourceFile& file) {
  const std::pair<std::string, Stage> module = {file.path, *file.stage};
  if (const auto before = imported_.find(module); before != imported_.end()) return before->second;
  const Result<formats::Words> words = words_of(source, file.path);
  if (!words) return words.error();
  Result<std::string> text = text_of(*words, file.path);
  if (!text) return text.error();
  Imported imported = {free_name(file.path, *file.stage), spirv::entry_point_count(*words) > 1};
  files_.push_back({platform::joined(folder_, imported.name), std::move(*text)});
  return imported_.emplace(module, std::move(imported)).first->second;
}

class ImportCommand : public Command {
 public:
  void declare(CLI::App& app) override;
  int run() override;

 private:
  Result<std::string> line_of(const PipelineSource& source, Modules& modules) const;
  int import_capture() const;

  std::string file_, folder_;
};

void ImportCommand::declare(CLI::App& app) {
  app.add_option("FILE", file_,
                 "pipeline JSON of Vulkan SC, a folder with such files, a Fossilize database, or a capture of "
                 "GFXReconstruct")
      ->required()
      ->type_name("");
  app.add_option("-o", folder_, "folder for manifest.jsonl and the modules")->required()->type_name("DIR");
}

Result<std::string> ImportCommand::line_of(const PipelineSource& source, Modules& modules) const {
  link::PipelineDescription description;
  for (const frontend::SourceFile& file : source.files) {
    const Result<Modules::Imported> module = modules.add(source, file);
    if (!module) return module.error();
    link::StageDescription& stage = description.stages[*file.stage];
    stage.file = module->name;
    // A manifest that names none means the only one.
    if (file.entry_point != "main" || module->has_other_entry_points) stage.entry_point = file.entry_point;
    if (const auto own = source.stages.find(*file.stage); own != source.stages.end())
      stage.specialization = own->second.specialization;
  }
  description.state = source.state;
  description.layout = source.layout;
  return formats::manifest_line(source.name, description) + "\n";
}

// Pipelines of a capture under their keys, each once.
class CapturedManifest {
 public:
  void add(const formats::gfxreconstruct::CapturedPipeline& captured) {
    const formats::CreatedPipeline& pipeline = captured.pipeline;
    if (!pipeline.why_not.empty()) {
      ++reasons_[pipeline.why_not];
      return;
    }
    if (!keys_.insert(captured.key).second) return;
    target_ = formats::joined(target_.value_or(captured.target), captured.target);
    link::PipelineDescription description = pipeline.description;
    for (const formats::CreatedPipeline::StageCode& stage : pipeline.stages) {
      const std::string file = formats::module_file(*stage.words, stage.stage);
      description.stages[stage.stage].file = file;
      modules_[file] = stage.words;
    }
    lines_ += formats::manifest_line(captured.key, description) + "\n";
  }

  // The modules, then the manifest, and the options of devices that made its pipelines;
  // `otherwise`: of none.
  std::vector<OutputFile> files(const std::string& folder, const spirv::ValidatorOptions& otherwise) const {
    std::vector<OutputFile> files;
    for (const auto& [name, words] : modules_) files.push_back({platform::joined(folder, name), bytes_of(*words)});
    files.push_back({platform::joined(folder, "manifest.jsonl"), lines_});
    const spirv::ValidatorOptions target = target_.value_or(otherwise);
    files.push_back({platform::joined(folder, "options.txt"), formats::options_text(target)});
    return files;
  }
  std::size_t pipeline_count() const { return keys_.size(); }
  std::size_t module_count() const { return modules_.size(); }
  const std::map<std::string, std::size_t>& reasons() const { return reasons_; }

 private:
  std::set<std::string> keys_;
  std::map<std::string, std::shared_ptr<const formats::Words>> modules_;
  std::map<std::string, std::size_t> reasons_;
  std::optional<spirv::ValidatorOptions> target_;
  std::string lines_;
};

int ImportCommand::import_capture() const {
  const Result<ReadCapture> read = read_capture(file_);
  if (!read) return report_failure(read.error());
  print_diagnostics(read->warnings);
  CapturedManifest manifest;
  for (const auto& each : read->capture.pipelines) manifest.add(each);
  if (const Result<void> written = write_files(manifest.files(folder_, read->capture.last_target)); !written)
    return report_failure(written.error());
  for (const auto& [reason, count] : manifest.reasons())
    put_line(stdout, "passed through: " + std::to_string(count) + "  " + reason);
  const std::string name = platform::joined(folder_, "manifest.jsonl");
  put_line(stdout, name + ": " + std::to_string(manifest.pipeline_count()) + " pipelines, " +
                       std::to_string(manifest.module_count()) + " modules");
  return 0;
}

int ImportCommand::run() {
  if (looks_like_capture(file_)) return import_capture();
  const std::optional<Result<Collection>> read = read_other_manifest(file_);
  if (!read)
    return report_failure(
        make_error(ErrorKind::usage, file_,
                   "is neither pipeline JSON of Vulkan SC nor a folder with it nor a Fossilize database nor a "
                   "capture (.gfxr)"));
  if (!*read) return report_failure(read->error());
  const Collection& collection = **read;
  print_diagnostics(collection.warnings);
  Modules modules(folder_);
  OutputFile manifest = {platform::joined(folder_, "manifest.jsonl"), {}};
  int status = 0;
  std::size_t count = 0;
  for (const PipelineSource& source : collection.pipelines) {
    const Result<std::string> line = line_of(source, modules);
    if (!line) {
      status = report_failure(line.error(), status);
      continue;
    }
    manifest.bytes += *line;
    ++count;
  }
  for (const PassedThrough& other : collection.others) put_line(stdout, other.name + ": left out: " + other.reason);
  std::vector<OutputFile> files = modules.take();
  const std::size_t module_count = files.size();
  files.push_back(std::move(manifest));
  if (const Result<void> written = write_files(files); !written) return report_failure(written.error(), status);
  put_line(stdout, files.back().path + ": " + std::to_string(count) + " pipelines, " + std::to_string(module_count) +
                       " modules");
  return status;
}

}  // namespace

std::unique_ptr<Command> make_import_command() { return std::make_unique<ImportCommand>(); }

}  // namespace varylink::cli
