#include "cli/settings/inputs.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <memory>

#include "cli/settings/device_features.h"
#include "cli/settings/number_option.h"
#include "cli/settings/other_manifests.h"
#include "cli/settings/usage.h"
#include "frontend/glsl_workers.h"
#include "frontend/read_file.h"
#include "frontend/source_kind.h"
#include "link/model/discard.h"
#include "platform/path.h"

namespace varylink::cli {
namespace {

constexpr const char* kLanguageGroup = "Reading";
constexpr const char* kLayoutGroup = "SPIR-V validator";

void declare_reading(CLI::App& app, InputOptions& options) {
  app.add_option("-S", options.stages,
                 "stage of a file whose name does not tell (vert tesc tese geom task mesh frag); the first -S is for "
                 "the first such file, and so on; STAGE=FILE says the same")
      ->type_name("STAGE")
      ->allow_extra_args(false)
      ->group(kLanguageGroup);
  app.add_option("-e", options.entry_points, "entry point, of one stage or of every stage")
      ->type_name("[STAGE=]NAME")
      ->allow_extra_args(false)
      ->group(kLanguageGroup);
  app.add_option("-D", options.defines, "define a macro for GLSL")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false)
      ->group(kLanguageGroup);
  app.add_option("-I", options.include_dirs, "folder for #include of GLSL")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->group(kLanguageGroup);
  app.add_option("--spec", options.specialization,
                 "value that a specialization constant will have in every stage, so that it is a constant for linking")
      ->type_name("ID=VALUE")
      ->allow_extra_args(false)
      ->group(kLanguageGroup);
  app.add_flag("-g", options.debug_info, "keep debug information when GLSL is compiled")->group(kLanguageGroup);
  app.add_option(
         "--target-env", options.target_env,
         "vulkan1.0 to vulkan1.3, vulkan1.1spv1.4 (with VK_KHR_spirv_1_4) or, where the SPIRV-Tools that are linked in "
         "know it, vulkan1.4")
      ->check(CLI::IsMember(spirv::target_env_names()))
      ->type_name("ENV")
      ->take_last()
      ->capture_default_str()
      ->group(kLanguageGroup);
}

bool is_identifier(const std::string& name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  for (const char c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  return true;
}

Result<void> add_entry_points(const InputOptions& options, frontend::CompileOptions& compile) {
  std::map<Stage, std::string> by_stage;
  std::string for_all;
  for (const std::string& text : options.entry_points) {
    const auto [stage, name] = split_stage(text);
    if (name.empty()) return usage("-e needs a name: '" + text + "'");
    std::string& place = stage ? by_stage[*stage] : for_all;
    if (!place.empty() && place != name) return usage("-e gives two entry points: " + place + " and " + name);
    place = name;
  }
  compile.entry_points = std::move(by_stage);
  if (for_all.empty()) return {};
  for (int i = 0; i < kStageCount; ++i) compile.entry_points.emplace(static_cast<Stage>(i), for_all);
  return {};
}

// Gives the stages of -S to the files whose stage nothing else tells.
Result<void> hand_out_stages(const InputOptions& options, std::vector<frontend::SourceFile>& files) {
  std::size_t next = 0;
  for (frontend::SourceFile& file : files) {
    if (next == options.stages.size()) break;
    if (file.stage || frontend::stage_from_path(file.path)) continue;
    file.stage = stage_from_short_name(options.stages[next]);
    if (!file.stage) return usage("-S: there is no stage '" + options.stages[next] + "'");
    ++next;
  }
  if (next < options.stages.size())
    return usage("-S " + options.stages[next] + ": no file is left whose stage is not known");
  return {};
}

Result<PipelineSource> pipeline_of_files(const InputOptions& options) {
  PipelineSource source;
  for (const std::string& text : options.files) {
    const auto [stage, path] = split_stage(text);
    if (path.empty()) return usage("an empty file name");
    source.files.push_back({platform::with_slashes(path), stage, {}});
    source.name += (source.name.empty() ? "" : "+") + std::string(frontend::base_name(frontend::display_name(path)));
  }
  if (const Result<void> given = hand_out_stages(options, source.files); !given) return given.error();
  return source;
}

// A single file that describes pipelines itself stands for --manifest.
bool is_manifest(const InputOptions& options) {
  return options.files.size() == 1 && split_stage(options.files.front()).second == options.files.front() &&
         looks_like_manifest(options.files.front());
}

Result<Collection> sources_of(const InputOptions& options) {
  if (options.manifest.empty()) {
    if (options.files.empty()) return usage("no input: give the files of a pipeline, or --manifest FILE");
    Result<PipelineSource> source = pipeline_of_files(options);
    if (!source) return source.error();
    return Collection{{std::move(*source)}, {}};
  }
  if (!options.files.empty()) return usage("files and --manifest exclude each other");
  if (!options.stages.empty()) return usage("-S and --manifest exclude each other: the manifest names the stages");
  return read_any_manifest(options.manifest);
}

// What the command line says of every pipeline.
Result<PipelineSource> common_source_of(const InputOptions& options) {
  PipelineSource source;
  if (!options.pipeline_state.empty()) {
    const std::string file = frontend::display_name(options.pipeline_state);
    const Result<std::string> text = frontend::read_file(options.pipeline_state);
    if (!text) return text.error();
    const Result<link::PipelineDescription> given = link::parse_description(*text, file);
    if (!given) return given.error();
    if (const Result<void> added = describe(*given, options.pipeline_state, source); !added) return added.error();
    if (options.pipeline_state != "-") source.described_by.insert(source.described_by.begin(), options.pipeline_state);
    if (!source.files.empty())
      return make_error(ErrorKind::usage, file, "the files of a pipeline stand on the command line or in a manifest");
  }
  source.state.no_fragment = source.state.no_fragment || options.no_fragment;
  source.state.shared_spec_constants = source.state.shared_spec_constants || options.shared_spec_constants;
  source.state.instance_rate_attributes.insert(options.instance_rate_attributes.begin(),
                                               options.instance_rate_attributes.end());
  return source;
}

// Where both say something about one thing, `own` does.
void add_common(const PipelineSource& common, PipelineSource& own) {
  own.state = state::combined(common.state, own.state);
  if (!own.layout) own.layout = common.layout;
  own.described_by.insert(own.described_by.end(), common.described_by.begin(), common.described_by.end());
  own.entry_points.insert(common.entry_points.begin(), common.entry_points.end());
  for (const auto& [stage, theirs] : common.stages) {
    frontend::StageOptions& mine = own.stages[stage];
    mine.include_dirs.insert(mine.include_dirs.end(), theirs.include_dirs.begin(), theirs.include_dirs.end());
    mine.specialization.insert(theirs.specialization.begin(), theirs.specialization.end());
    for (const auto& define : theirs.defines)
      if (std::none_of(mine.defines.begin(), mine.defines.end(),
                       [&](const auto& d) { return d.first == define.first; }))
        mine.defines.push_back(define);
  }
}

}  // namespace

void UnknownSpecIds::note(const std::set<std::uint32_t>& unknown_to_pipeline) {
  if (!ids_) {
    ids_ = unknown_to_pipeline;
    return;
  }
  std::erase_if(*ids_, [&](std::uint32_t id) { return unknown_to_pipeline.count(id) == 0; });
}

Diagnostics UnknownSpecIds::warnings() const {
  Diagnostics warnings;
  for (const std::uint32_t id : ids_.value_or(std::set<std::uint32_t>()))
    warnings.push_back(
        make_warning("", "--spec " + std::to_string(id) + ": no stage has a specialization constant with this id"));
  return warnings;
}

std::pair<std::optional<Stage>, std::string> split_stage(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos)
    if (const std::optional<Stage> stage = stage_from_short_name(text.substr(0, equals)))
      return {stage, text.substr(equals + 1)};
  return {std::nullopt, text};
}

// Options that are given count besides.
void take_features(const CLI::App& app, const std::string& file, InputOptions& options) {
  const Result<std::string> text = frontend::read_file(file);
  if (!text) throw CLI::ValidationError("--features", file + ": " + text.error().message);
  const Result<DeviceFeatures> features = parse_device_features(*text, file);
  if (!features) throw CLI::ValidationError("--features", file + " " + features.error().message);
  options.features = file;
  options.scalar_block_layout |= features->scalar_block_layout;
  options.uniform_buffer_standard_layout |= features->uniform_buffer_standard_layout;
  options.relax_block_layout |= features->relax_block_layout;
  options.allow_localsizeid |= features->allow_localsizeid;
  if (!features->target_env.empty() && app.count("--target-env") == 0) options.target_env = features->target_env;
}

void declare_state(CLI::App& app, InputOptions& options) {
  app.add_option(
         "--pipeline-state", options.pipeline_state,
         "what the pipelines are made with, as JSON (docs/pipeline-state.md): specialization constants and macros "
         "of the stages, layout, vertex formats, samples, attachments and so on; a line of a manifest may say "
         "the same of its pipeline")
      ->type_name("FILE")
      ->group(kLanguageGroup);
  add_number(app, "--instance-rate-attributes", options.instance_rate_attributes,
             "locations of the vertex attributes that advance per instance")
      ->delimiter(',')
      ->type_name("L,...")
      ->group(kLanguageGroup);
  app.add_flag("--shared-spec-constants", options.shared_spec_constants,
               "every stage gets the same specialization data: constants with one SpecId, type and default are one")
      ->group(kLanguageGroup);
}

void declare_inputs(CLI::App& app, InputOptions& options, bool with_manifest) {
  if (with_manifest)
    app.parse_complete_callback([&options] {
      if (!options.manifest.empty() || !is_manifest(options)) return;
      options.manifest = options.files.front();
      options.files.clear();
    });
  app.add_option("FILES", options.files,
                 "the stages of one pipeline: GLSL (.vert .tesc .tese .geom .task .mesh .frag), SPIR-V, or SPIR-V "
                 "assembly; - is standard input; STAGE=FILE where the name does not tell the stage")
      ->type_name("");
  if (with_manifest)
    app.add_option("--manifest", options.manifest,
                   "many pipelines, one JSON object a line, or pipeline JSON of Vulkan SC, or a Fossilize database "
                   "(docs/formats.md): "
                   "{\"name\": \"a/b\", \"stages\": {\"vert\": \"x.vert\", "
                   "\"frag\": \"y.spv\"}}, and if need be \"entries\": {\"vert\": \"vs\"} and \"noFragment\": true; "
                   "paths are relative to the manifest")
        ->type_name("FILE");
  declare_reading(app, options);
  if (with_manifest)
    add_number(app, "--glsl-time-limit", options.glsl_time_limit_s,
               "seconds that the GLSL compiler gets for one source of a manifest; 0: no limit", {{0, 86400}})
        ->type_name("S")
        ->capture_default_str()
        ->group(kLanguageGroup);
  app.add_flag("--no-fragment", options.no_fragment,
               "the pipeline has no fragment stage: nobody reads the last outputs")
      ->group(kLanguageGroup);
  declare_state(app, options);
  app.add_flag("--scalar-block-layout", options.scalar_block_layout,
               "the device has scalarBlockLayout: members of blocks are aligned like their scalars")
      ->group(kLayoutGroup);
  app.add_flag("--uniform-buffer-standard-layout,--uniform-buffer-layout", options.uniform_buffer_standard_layout,
               "the device has uniformBufferStandardLayout: uniform blocks may be laid out like storage blocks")
      ->group(kLayoutGroup);
  app.add_flag("--relax-block-layout", options.relax_block_layout,
               "vectors in blocks are aligned like their scalars, as VK_KHR_relaxed_block_layout has it")
      ->group(kLayoutGroup);
  app.add_flag("--allow-localsizeid", options.allow_localsizeid,
               "the device has maintenance4: the execution mode LocalSizeId is allowed")
      ->group(kLayoutGroup);
  app.add_option_function<std::string>(
         "--features", [&app, &options](const std::string& file) { take_features(app, file, options); },
         "a Vulkan profile, or what vulkaninfo --json writes: what the device enables of the above, and its Vulkan "
         "version if --target-env does not say one")
      ->type_name("FILE")
      ->group(kLayoutGroup);
  app.add_option("--validator-known-issues", options.validator_known_issues,
                 "what the installed SPIR-V validator refuses and newer ones take (docs/check.md): warn or error")
      ->check(CLI::IsMember({"warn", "error"}))
      ->type_name("SEVERITY")
      ->take_last()
      ->capture_default_str()
      ->group(kLayoutGroup);
}

Result<frontend::CompileOptions> compile_options_of(const InputOptions& options) {
  frontend::CompileOptions compile;
  const std::optional<spirv::TargetEnv> env = spirv::target_env_from_name(options.target_env);
  if (!env) return usage("--target-env: there is no environment '" + options.target_env + "'");
  if (const Result<void> known = spirv::require_known(*env); !known)
    return usage("--target-env: " + known.error().message);
  compile.env = *env;
  compile.include_dirs = options.include_dirs;
  compile.debug_info = options.debug_info;
  for (const std::string& define : options.defines) {
    const std::size_t equals = define.find('=');
    const std::string name = define.substr(0, equals);
    if (!is_identifier(name)) return usage("-D needs a name: '" + define + "'");
    compile.defines.emplace_back(name, equals == std::string::npos ? "" : define.substr(equals + 1));
  }
  for (const std::string& text : options.specialization) {
    const auto given = spirv::parse_specialization(text);
    if (!given) return usage("--spec needs ID=VALUE: '" + text + "'");
    const auto [known, is_new] = compile.specialization.emplace(*given);
    if (!is_new && known->second != given->second)
      return usage("--spec gives " + std::to_string(given->first) + " two values");
  }
  if (const Result<void> added = add_entry_points(options, compile); !added) return added.error();
  // Of many pipelines, one whose GLSL the compiler does not survive shall be lost alone.
  if (!options.manifest.empty())
    compile.workers = std::make_shared<frontend::GlslWorkers>(std::chrono::seconds(options.glsl_time_limit_s));
  return compile;
}

spirv::ValidatorOptions validator_options_of(const InputOptions& options) {
  spirv::ValidatorOptions validator;
  validator.env = spirv::target_env_from_name(options.target_env).value_or(validator.env);
  validator.scalar_block_layout = options.scalar_block_layout;
  validator.uniform_buffer_standard_layout = options.uniform_buffer_standard_layout;
  validator.relax_block_layout = options.relax_block_layout;
  validator.allow_localsizeid = options.allow_localsizeid;
  validator.known_issues_are_errors = options.validator_known_issues == "error";
  return validator;
}

Result<void> describe(const link::PipelineDescription& description, const std::string& described_in,
                      PipelineSource& source) {
  const std::string folder = described_in == "-" ? std::string() : platform::folder_of(described_in);
  const auto path_of = [&](const std::string& path) {
    return path == "-" ? path : platform::normal(platform::joined(folder, path));
  };
  for (const auto& [stage, given] : description.stages) {
    if (!given.file.empty()) source.files.push_back({path_of(given.file), stage, given.entry_point});
    if (given.file.empty() && !given.entry_point.empty()) source.entry_points[stage] = given.entry_point;
    frontend::StageOptions& own = source.stages[stage];
    own.specialization = given.specialization;
    own.defines = given.defines;
    for (const std::string& include : given.include_dirs) own.include_dirs.push_back(path_of(include));
  }
  source.state = description.state;
  source.layout = description.layout;
  if (description.layout_file.empty()) return {};
  const std::string layout_file = path_of(description.layout_file);
  source.described_by.push_back(layout_file);
  Result<std::optional<link::PipelineLayout>> layout = read_layout(layout_file);
  if (!layout) return layout.error();
  source.layout = std::move(*layout);
  return {};
}

Result<std::optional<link::PipelineLayout>> read_layout(const std::string& file) {
  if (file.empty()) return std::optional<link::PipelineLayout>();
  const Result<std::string> text = frontend::read_file(file);
  if (!text) return text.error();
  Result<link::PipelineLayout> layout = link::parse_layout(*text, file);
  if (!layout) return layout.error();
  return std::optional(std::move(*layout));
}

Result<Collection> collection_of(const InputOptions& options) {
  const Result<PipelineSource> common = common_source_of(options);
  if (!common) return common.error();
  Result<Collection> collection = sources_of(options);
  if (collection)
    for (PipelineSource& source : collection->pipelines) add_common(*common, source);
  return collection;
}

Result<std::vector<PipelineSource>> pipelines_of(const InputOptions& options) {
  Result<Collection> collection = collection_of(options);
  if (!collection) return collection.error();
  return std::move(collection->pipelines);
}

Result<frontend::LoadedPipeline> load_modules(const PipelineSource& source, const frontend::CompileOptions& options,
                                              Diagnostics* messages) {
  std::vector<frontend::SourceText> texts;
  for (const frontend::SourceFile& file : source.files) {
    Result<std::string> bytes = source.module_bytes(file.path);
    if (!bytes) return bytes.error();
    texts.push_back({file, frontend::SourceKind::spirv_binary, std::move(*bytes)});
  }
  return frontend::load_texts(source.name, texts, options, messages);
}

Result<frontend::LoadedPipeline> load(const PipelineSource& source, const frontend::CompileOptions& options,
                                      Diagnostics* messages) {
  frontend::CompileOptions compile = options;
  compile.stages = source.stages;
  for (const auto& [stage, entry] : source.entry_points) compile.entry_points.insert_or_assign(stage, entry);
  Result<frontend::LoadedPipeline> loaded = source.module_bytes
                                                ? load_modules(source, compile, messages)
                                                : frontend::load_pipeline(source.name, source.files, compile, messages);
  if (!loaded) return loaded;
  loaded->pipeline.state = source.state;
  loaded->pipeline.layout = source.layout;
  for (Diagnostic& warning : link::settle_fragment_stage(loaded->pipeline))
    loaded->warnings.push_back(std::move(warning));
  loaded->dependencies.insert(loaded->dependencies.end(), source.described_by.begin(), source.described_by.end());
  return loaded;
}

}  // namespace varylink::cli
