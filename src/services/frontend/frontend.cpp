#include "frontend/frontend.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "frontend/entry_points.h"
#include "frontend/glsl.h"
#include "frontend/glsl_workers.h"
#include "frontend/hlsl.h"
#include "frontend/locations.h"
#include "frontend/read_file.h"
#include "frontend/source_kind.h"
#include "spirv/entry_points/extract_entry.h"
#include "spirv/entry_points/import_entries.h"
#include "spirv/ir/decoration_groups.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/foreign_reader.h"
#include "spirv/tools/newer_module.h"

namespace varylink::frontend {
namespace {

// One stage between reading and the finished words.
struct LoadedStage {
  Stage stage = Stage::vertex;
  std::string file;
  std::string entry_point;
  std::vector<std::uint32_t> words;  // of a SPIR-V file; empty for GLSL, whose module gets locations first
  // Of a SPIR-V file its words; else what they are written from. Empty if they could not be read.
  std::shared_ptr<const spirv::Module> module = std::make_shared<const spirv::Module>();
  std::vector<std::string> inputs, outputs;  // see StageToLocate
  std::vector<std::uint32_t> unspecialized;  // see link::StageInput
  spirv::SpecializationValues specialization;
  std::optional<Diagnostic> unread;  // why the words could not be read
};

CompileOptions with_options_of_stage(CompileOptions options, const StageOptions& own) {
  options.include_dirs.insert(options.include_dirs.begin(), own.include_dirs.begin(), own.include_dirs.end());
  for (const auto& [name, value] : own.defines)
    std::erase_if(options.defines, [&name = name](const auto& define) { return define.first == name; });
  options.defines.insert(options.defines.end(), own.defines.begin(), own.defines.end());
  return options;
}

class Loader {
 public:
  Loader(const CompileOptions& options, LoadedPipeline& result, Diagnostics* messages)
      : options_(options), result_(result), messages_(messages) {}

  Result<void> load(const SourceFile& file);
  Result<void> load(const SourceText& source);
  Result<void> specialize(LoadedStage& stage);
  void leave_workgroup_sizes_open(const spirv::Module& module, const std::string& file,
                                  spirv::SpecializationValues& values);
  void find_unknown_spec_ids();
  void locate();
  Result<void> finish();

 private:
  Result<void> load_glsl(const SourceFile& file, const std::string& text);
  Result<void> load_hlsl(const SourceFile& file);
  Result<void> load_spirv(const SourceFile& file, const std::string& bytes, SourceKind kind,
                          std::shared_ptr<const spirv::Module> read = {});
  Result<void> load_unread(const SourceFile& file, std::vector<std::uint32_t> words, const Diagnostic& error);
  Result<void> add(LoadedStage stage);
  std::string which_stages_to_take(Stage twice, const std::string& first, const std::string& second) const;
  void depend_on(const std::string& path);
  spirv::SpecializationValues values_for(Stage stage) const;

  const CompileOptions& options_;
  LoadedPipeline& result_;
  Diagnostics* messages_;
  std::vector<LoadedStage> stages_;
  std::map<std::string, std::vector<EntryChoice>> modules_;  // by file: the entry points that were taken from it
};

void Loader::depend_on(const std::string& path) {
  std::vector<std::string>& list = result_.dependencies;
  if (path != "-" && std::find(list.begin(), list.end(), path) == list.end()) list.push_back(path);
}

Result<void> Loader::add(LoadedStage stage) {
  for (const LoadedStage& other : stages_)
    if (other.stage == stage.stage)
      return make_error(ErrorKind::usage, stage.file,
                        "second file for stage " + std::string(short_name(stage.stage)) + ", which " + other.file +
                            " already gives" + which_stages_to_take(stage.stage, other.file, stage.file),
                        "VUID-VkGraphicsPipelineCreateInfo-stage-06897");
  stages_.push_back(std::move(stage));
  return {};
}

// A module with several entry points gives all its stages unless one is named: "; take one of it: vert=a.spv".
std::string Loader::which_stages_to_take(Stage twice, const std::string& first, const std::string& second) const {
  const auto one_of = [&](const std::string& file, bool the_other) -> std::string {
    const auto module = modules_.find(file);
    if (module == modules_.end() || module->second.size() < 2) return {};
    for (const EntryChoice& entry : module->second)
      if ((entry.stage != twice) == the_other) return " " + std::string(short_name(entry.stage)) + "=" + file;
    return {};
  };
  const std::string of_second = one_of(second, true);
  const std::string of_first = one_of(first, of_second.empty());
  return of_first.empty() && of_second.empty() ? ""
                                               : "; of a module with several stages take one:" + of_first + of_second;
}

Result<void> Loader::load_glsl(const SourceFile& file, const std::string& text) {
  const std::string name = display_name(file.path);
  const std::optional<Stage> stage = file.stage ? file.stage : stage_from_path(file.path);
  if (!stage) return make_error(ErrorKind::usage, name, no_stage_message(file.path));
  const std::string entry = wanted_entry_point(file, *stage, options_);
  const auto own = options_.stages.find(*stage);
  const GlslSource source = {text, name, *stage, entry};
  const CompileOptions options = own == options_.stages.end() ? options_ : with_options_of_stage(options_, own->second);
  Result<CompiledGlsl> compiled = options.workers && !options.read_include
                                      ? options.workers->compile(source, options, messages_)
                                      : compile_glsl(source, options, messages_);
  if (!compiled) return compiled.error();
  for (const std::string& include : compiled->includes) depend_on(include);
  result_.warnings.insert(result_.warnings.end(), compiled->warnings.begin(), compiled->warnings.end());
  result_.glsl_warned = result_.glsl_warned || !compiled->warnings.empty();

  LoadedStage loaded{*stage, name, entry.empty() ? "main" : entry};
  loaded.module = std::make_shared<const spirv::Module>(std::move(compiled->module));
  loaded.inputs = std::move(compiled->inputs);
  loaded.outputs = std::move(compiled->outputs);
  return add(std::move(loaded));
}

// Its includes are not known, so that nothing depends on them.
Result<void> Loader::load_hlsl(const SourceFile& file) {
  const std::string name = display_name(file.path);
  const std::optional<Stage> stage = file.stage ? file.stage : stage_from_path(file.path);
  if (!stage) return make_error(ErrorKind::usage, name, no_stage_message(file.path));
  const auto own = options_.stages.find(*stage);
  const CompileOptions options = own == options_.stages.end() ? options_ : with_options_of_stage(options_, own->second);
  const std::string entry = wanted_entry_point(file, *stage, options_);
  Result<std::vector<std::uint32_t>> words = compile_hlsl(file.path, *stage, entry, options);
  if (!words) return words.error();
  Result<spirv::Module> module = spirv::read_module(*words, name);
  if (!module) return module.error();
  return add({*stage, name, entry.empty() ? "main" : entry, std::move(*words),
              std::make_shared<const spirv::Module>(std::move(*module))});
}

Result<void> Loader::load_spirv(const SourceFile& file, const std::string& bytes, SourceKind kind,
                                std::shared_ptr<const spirv::Module> read) {
  const std::string name = display_name(file.path);
  Result<std::vector<std::uint32_t>> words = kind == SourceKind::spirv_binary
                                                 ? spirv::words_from_bytes(bytes, name)
                                                 : spirv::assemble(bytes, options_.env, name);
  if (!words) return words.error();
  if (!read) {
    Result<spirv::Module> module = spirv::read_with_foreign(*words, name);
    if (!module) return load_unread(file, std::move(*words), module.error());
    read = std::make_shared<const spirv::Module>(std::move(*module));
  }
  const Result<std::vector<EntryChoice>> entries = choose_entry_points(*read, file, options_);
  if (!entries) return entries.error();
  modules_[name] = *entries;
  for (const EntryChoice& entry : *entries)
    if (Result<void> added = add({entry.stage, name, entry.name, *words, read}); !added) return added;
  return {};
}

// A module that is newer than this build still is the stage that the command line or its name say.
Result<void> Loader::load_unread(const SourceFile& file, std::vector<std::uint32_t> words, const Diagnostic& error) {
  constexpr std::string_view kSuffix = ".spv";
  std::string_view path = file.path;
  if (path.ends_with(kSuffix)) path.remove_suffix(kSuffix.size());
  const std::optional<Stage> stage = file.stage ? file.stage : stage_from_path(path);
  if (!stage || spirv::newer_features(words).empty()) return error;
  const std::string entry = wanted_entry_point(file, *stage, options_);
  LoadedStage loaded{*stage, display_name(file.path), entry.empty() ? "main" : entry, std::move(words)};
  loaded.unread = error;
  return add(std::move(loaded));
}

Result<void> Loader::load(const SourceFile& file) {
  const Result<std::string> bytes = read_file(file.path);
  if (!bytes) return bytes.error();
  depend_on(file.path);
  if (is_hlsl(file.path) && source_kind(file.path, *bytes) == SourceKind::glsl) return load_hlsl(file);
  return load({file, source_kind(file.path, *bytes), *bytes});
}

Result<void> Loader::load(const SourceText& source) {
  if (source.kind == SourceKind::spirv_binary) return load_spirv(source.file, source.bytes, source.kind, source.read);
  const std::string text(without_byte_order_mark(source.bytes));
  return source.kind == SourceKind::glsl ? load_glsl(source.file, text) : load_spirv(source.file, text, source.kind);
}

spirv::SpecializationValues Loader::values_for(Stage stage) const {
  const auto own = options_.stages.find(stage);
  spirv::SpecializationValues values;
  if (own != options_.stages.end()) values = own->second.specialization;
  values.insert(options_.specialization.begin(), options_.specialization.end());
  return values;
}

// The module of the stage with these values for its own entry point: another pipeline gives the constants of others
// other values.
Result<std::vector<std::uint32_t>> specialize_entry(const LoadedStage& stage,
                                                    const spirv::SpecializationValues& values) {
  Result<spirv::Module> open = spirv::read_with_foreign(stage.words, stage.file);
  if (!open) return open.error();
  spirv::expand_decoration_groups(*open);
  spirv::Module module = *open;
  const auto model = static_cast<spv::ExecutionModel>(execution_model(stage.stage));
  spirv::keep_entries(
      module, [&](const spirv::EntryPoint& entry) { return entry.model == model && entry.name == stage.entry_point; });
  if (const Result<void> given = spirv::specialize(module, values, stage.file); !given) return given.error();
  spirv::import_other_entries(module, *open, model, stage.entry_point);
  return spirv::write_module(module);
}

void Loader::leave_workgroup_sizes_open(const spirv::Module& module, const std::string& file,
                                        spirv::SpecializationValues& values) {
  for (const std::uint32_t id : spirv::workgroup_size_ids(module)) {
    if (values.erase(id) == 0) continue;
    Diagnostic warning = make_warning(
        file, "specialization constant " + std::to_string(id) +
                  " stays open, since it is in the size of workgroups, which all entry points of a module share");
    const bool is_said = std::any_of(result_.warnings.begin(), result_.warnings.end(),
                                     [&](const Diagnostic& said) { return render(said) == render(warning); });
    if (!is_said) result_.warnings.push_back(std::move(warning));  // the module may give several stages
  }
}

// Only modules that are valid, whatever their block layout: what is wrong with others is for the linker to say.
Result<void> Loader::specialize(LoadedStage& stage) {
  spirv::SpecializationValues values = values_for(stage.stage);
  if (values.empty()) return {};
  const spirv::ValidatorOptions any_layout = {options_.env, true, true, true, true};
  if (!spirv::validate(stage.words, any_layout, stage.file)) return {};
  if (spirv::entry_point_count(stage.words) > 1) leave_workgroup_sizes_open(*stage.module, stage.file, values);
  Result<spirv::SpecializedWords> given = spirv::specialize(stage.words, values, stage.file);
  if (!given) return given.error();
  for (const auto& [id, value] : values)
    if (given->values.count(id) == 0 && options_.specialization.count(id) == 0)
      result_.warnings.push_back(make_warning(
          stage.file, "there is no specialization constant with the id " + std::to_string(id) + ", which has a value"));
  if (given->values.empty()) return {};
  if (spirv::entry_point_count(stage.words) > 1) {
    Result<std::vector<std::uint32_t>> words = specialize_entry(stage, values);
    if (!words) return words.error();
    given->words = std::move(*words);
  }
  stage.unspecialized = std::exchange(stage.words, std::move(given->words));
  stage.specialization = std::move(given->values);
  return {};
}

void Loader::find_unknown_spec_ids() {
  if (options_.specialization.empty()) return;
  if (std::any_of(stages_.begin(), stages_.end(), [](const LoadedStage& stage) { return stage.unread.has_value(); }))
    return;
  std::set<std::uint32_t> known;
  for (const LoadedStage& stage : stages_) known.merge(spirv::specialization_ids(*stage.module));
  for (const auto& [id, value] : options_.specialization)
    if (known.count(id) == 0) result_.unknown_spec_ids.insert(id);
}

// Gives varyings of GLSL their locations. Those that modules of SPIR-V files have no location for are numbered with
// them, but words of files stay as they are.
void Loader::locate() {
  std::vector<StageToLocate> to_locate;
  for (LoadedStage& stage : stages_) {
    // Entry points of one file share theirs, and each gets its own locations.
    const auto own = std::make_shared<spirv::Module>(*stage.module);
    to_locate.push_back({stage.stage, stage.entry_point, own.get(), stage.inputs, stage.outputs});
    stage.module = own;
  }
  assign_locations(to_locate);
}

Result<void> Loader::finish() {
  std::sort(stages_.begin(), stages_.end(), [](const auto& a, const auto& b) { return a.stage < b.stage; });
  // Varyings of GLSL cannot be matched by name with those of a module that cannot be read.
  const bool has_glsl = std::any_of(stages_.begin(), stages_.end(), [](const auto& s) { return s.words.empty(); });
  for (const LoadedStage& stage : stages_)
    if (stage.unread && has_glsl) return *stage.unread;
  if (has_glsl) locate();
  find_unknown_spec_ids();
  for (LoadedStage& stage : stages_) {
    const bool is_as_read = !stage.unread && !has_glsl;
    if (stage.words.empty()) stage.words = spirv::write_module(*stage.module);
    if (const Result<void> given = specialize(stage); !given) return given;
    const bool is_specialized = !stage.specialization.empty();
    result_.pipeline.stages.push_back({stage.stage, stage.file, std::move(stage.words), stage.entry_point,
                                       std::move(stage.unspecialized), std::move(stage.specialization),
                                       is_as_read && !is_specialized ? std::move(stage.module) : nullptr});
  }
  return {};
}

template <typename Sources>
Result<LoadedPipeline> load_all(const std::string& name, const Sources& sources, const CompileOptions& options,
                                Diagnostics* messages) {
  LoadedPipeline result;
  result.pipeline.name = name;
  Loader loader(options, result, messages);
  for (const auto& source : sources)
    if (const Result<void> loaded = loader.load(source); !loaded) return loaded.error();
  if (const Result<void> finished = loader.finish(); !finished) return finished.error();
  return result;
}

}  // namespace

Result<LoadedPipeline> load_pipeline(const std::string& name, const std::vector<SourceFile>& files,
                                     const CompileOptions& options, Diagnostics* messages) {
  if (std::count_if(files.begin(), files.end(), [](const SourceFile& file) { return file.path == "-"; }) > 1)
    return make_error(ErrorKind::usage, "", "standard input can only be read once");
  return load_all(name, files, options, messages);
}

Result<LoadedPipeline> load_texts(const std::string& name, std::span<const SourceText> sources,
                                  const CompileOptions& options, Diagnostics* messages) {
  return load_all(name, sources, options, messages);
}

}  // namespace varylink::frontend
