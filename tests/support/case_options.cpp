#include "support/case_options.h"

#include <filesystem>
#include <fstream>

#include "link/model/discard.h"
#include "link/model/link_flags.h"
#include "platform/file_system.h"
#include "platform/path.h"

namespace varylink::test {
namespace {

namespace fs = std::filesystem;

// A folder of its own for the sources, gone when the object goes.
class ScratchFolder {
 public:
  ScratchFolder() = default;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(const std::string& name) const { return platform::joined(path_, name); }
  // `text` without the folder in front of file names.
  std::string without(std::string text) const {
    const std::string prefix = path_ + "/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
      text.erase(at, prefix.size());
    return text;
  }
  Diagnostic without(Diagnostic diagnostic) const {
    diagnostic.file = without(std::move(diagnostic.file));
    diagnostic.message = without(std::move(diagnostic.message));
    return diagnostic;
  }

 private:
  std::string path_ = platform::make_temporary_folder("varylink-case-");
};

bool starts_with(const std::string& text, std::string_view prefix) { return text.rfind(prefix, 0) == 0; }

// One option of the ";; link:" directive, as `-e vert=name` or `--fuel=3`.
class OptionReader {
 public:
  explicit OptionReader(CaseOptions& options) : options_(options) {}

  // False if the option is not known or not well formed.
  bool read(const std::string& option, const std::string& argument) {
    return read_level(option) || read_flag(option) || read_value(option) || read_pair(option, argument);
  }
  static bool takes_argument(const std::string& option) {
    return option == "-e" || option == "-D" || option == "--spec";
  }

 private:
  bool read_level(const std::string& option) {
    if (option.size() != 3 || !starts_with(option, "-O") || option[2] < '0' || option[2] > '3') return false;
    options_.link.level = static_cast<link::Level>(option[2] - '0');
    return true;
  }
  bool read_flag(const std::string& option) {
    bool* flag = nullptr;
    if (const link::LinkFlag* known = link::find_link_flag(option)) flag = &(options_.link.*known->member);
    if (option == "--scalar-block-layout") flag = &options_.link.validator.scalar_block_layout;
    if (option == "--no-fragment") flag = &options_.state.no_fragment;
    if (option == "--shared-spec-constants") flag = &options_.state.shared_spec_constants;
    if (option == "-g") flag = &options_.compile.debug_info;
    if (flag == nullptr) return false;
    return *flag = true;
  }
  bool read_value(const std::string& option) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos) return false;
    const std::string name = option.substr(0, equals), value = option.substr(equals + 1);
    if (name == "--fuel") return options_.link.fuel = std::strtoull(value.c_str(), nullptr, 10), true;
    if (name == "--passes") return options_.link.passes = split_list(value), true;
    if (name == "--profile") return read_profile(value);
    const std::optional<spirv::TargetEnv> env = spirv::target_env_from_name(value);
    if (name != "--target-env" || !env) return false;
    options_.compile.env = options_.link.validator.env = *env;
    return true;
  }
  bool read_profile(const std::string& name) {
    const analysis::CostProfile* profile = analysis::find_profile(name);
    if (profile) options_.link.profile = *profile;
    return profile != nullptr;
  }
  bool read_pair(const std::string& option, const std::string& argument) {
    const std::size_t equals = argument.find('=');
    const std::string key = argument.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (option == "--spec") {
      const auto given = spirv::parse_specialization(argument);
      return given && options_.compile.specialization.insert_or_assign(given->first, given->second).second;
    }
    if (option == "-D") return options_.compile.defines.emplace_back(key, value), true;
    const std::optional<Stage> stage = stage_from_short_name(key);
    if (option != "-e" || !stage) return false;
    options_.compile.entry_points[*stage] = value;
    return true;
  }

  CaseOptions& options_;
};

// The file name for a section with sources, empty for any other section.
std::string source_name(const CaseSection& section, const std::string& stem) {
  const std::vector<std::string> words = split_words(section.title);
  const bool assembly = words.size() == 2 && words[1] == "spvasm";
  if (words.empty() || words.size() > 2 || (words.size() == 2 && !assembly)) return {};
  if (words[0] == "module") return assembly ? stem + ".spvasm" : std::string();
  if (!stage_from_short_name(words[0])) return {};
  return stem + "." + words[0] + (assembly ? ".spvasm" : "");
}

// The levels of ";; also: -O2 -O3"; none of them if some word is something else.
std::vector<link::Level> levels_of(std::string_view value) {
  std::vector<link::Level> levels;
  for (const std::string& word : split_words(value)) {
    if (word.size() != 3 || !word.starts_with("-O") || word[2] < '0' || word[2] > '3') return {};
    levels.push_back(static_cast<link::Level>(word[2] - '0'));
  }
  return levels;
}

}  // namespace

Result<CaseOptions> case_options(const CaseFile& file) {
  CaseOptions options;
  OptionReader reader(options);
  for (const auto& [key, value] : file.directives) {
    if (key == "covers") continue;                                          // for tools/list_cases.py
    if (key == "allows" || key == "forbids" || key == "no-rule") continue;  // for tools/check_legality.py
    if (key == "also") {
      options.also = levels_of(value);
      if (options.also.empty()) return make_error(ErrorKind::usage, file.path, "';; also:' takes levels");
      continue;
    }
    if (key == "layout") {
      Result<link::PipelineLayout> layout = link::parse_layout(value, file.path);
      if (!layout) return layout.error();
      options.link.layout = std::move(*layout);
      continue;
    }
    if (key == "state") {
      const Result<state::PipelineState> state = state::parse_pipeline_state(value, file.path);
      if (!state) return state.error();
      options.state = state::combined(options.state, *state);
      continue;
    }
    if (key != "link") return make_error(ErrorKind::usage, file.path, "unknown directive '" + key + "'");
    const std::vector<std::string> words = split_words(value);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool pair = OptionReader::takes_argument(words[i]);
      const std::string argument = pair && i + 1 < words.size() ? words[i + 1] : "";
      if (!reader.read(words[i], argument))
        return make_error(ErrorKind::usage, file.path, "unknown link option '" + words[i] + "'");
      if (pair) ++i;
    }
  }
  return options;
}

Result<frontend::LoadedPipeline> load_case(const CaseFile& file, const CaseOptions& options, Diagnostics* messages) {
  const ScratchFolder folder;
  const std::string stem = fs::path(file.path).stem().string();
  std::vector<frontend::SourceFile> sources;
  for (const CaseSection& section : file.sections) {
    const std::string name = source_name(section, stem);
    if (name.empty()) continue;
    std::ofstream(folder.file(name), std::ios::binary) << section.body;
    sources.push_back({folder.file(name), {}, {}});
  }
  Result<frontend::LoadedPipeline> loaded = frontend::load_pipeline(stem, sources, options.compile, messages);
  if (messages != nullptr)
    for (Diagnostic& message : *messages) message = folder.without(std::move(message));
  if (!loaded) return folder.without(loaded.error());
  for (Diagnostic& warning : loaded->warnings) warning = folder.without(std::move(warning));
  for (link::StageInput& stage : loaded->pipeline.stages) stage.file = fs::path(stage.file).filename().string();
  loaded->pipeline.state = options.state;
  for (Diagnostic& warning : link::settle_fragment_stage(loaded->pipeline))
    loaded->warnings.push_back(std::move(warning));
  return loaded;
}

}  // namespace varylink::test
