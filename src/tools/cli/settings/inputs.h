// Input options, shared by the subcommands: files or a manifest, and how to read them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/files/output_files.h"
#include "frontend/frontend.h"
#include "link/model/pipeline_description.h"
#include "spirv/tools/tools.h"

namespace varylink::cli {

// The options as they were typed.
struct InputOptions {
  std::vector<std::string> files;  // FILE or STAGE=FILE
  std::string manifest;
  std::vector<std::string> stages;          // -S
  std::vector<std::string> entry_points;    // -e
  std::vector<std::string> defines;         // -D
  std::vector<std::string> include_dirs;    // -I
  std::vector<std::string> specialization;  // --spec
  std::string target_env = "vulkan1.3";
  bool debug_info = false;
  std::uint32_t glsl_time_limit_s = 300;  // of a source of a manifest; 0: none
  bool no_fragment = false;
  bool shared_spec_constants = false;
  std::string pipeline_state;                           // a file
  std::vector<std::uint32_t> instance_rate_attributes;  // locations
  std::string features;                                 // a file, whose features are on below
  bool scalar_block_layout = false;
  bool uniform_buffer_standard_layout = false;
  bool relax_block_layout = false;
  bool allow_localsizeid = false;
  std::string validator_known_issues = "warn";
};

// The files of a pipeline's results in `folder` besides its modules, which are at `results`. Error: io, a file to be
// copied that cannot be read.
using CompanionFiles = std::function<Result<std::vector<OutputFile>>(const std::string& folder,
                                                                     const std::map<Stage, std::string>& results)>;

// Reads the bytes of a module that is embedded in another file. Thread safe.
using ModuleBytes = std::function<Result<std::string>(const std::string& path)>;

// One pipeline to be read.
struct PipelineSource {
  std::string name;  // of the manifest; for files on the command line their base names joined by "+"
  std::vector<frontend::SourceFile> files;
  std::map<Stage, frontend::StageOptions> stages;
  std::map<Stage, std::string> entry_points;  // of stages whose file names none; they count before those of -e
  state::PipelineState state;
  std::optional<link::PipelineLayout> layout;
  std::vector<std::string> described_by;  // files besides the manifest that this description was read from
  CompanionFiles companions;              // may be empty
  ModuleBytes module_bytes;               // not empty: `files` are in something else, and are SPIR-V
};

// A pipeline that is not linked, such as compute. Its companions are all its files.
struct PassedThrough {
  std::string name, reason;
  std::vector<std::string> files;  // that it is read from
  CompanionFiles companions;
};

// Collects linked pipelines that were read from one file and are written to one.
class PipelineStore {
 public:
  virtual ~PipelineStore() = default;
  // Adds the modules of a linked pipeline. Pipelines come in the order of the collection.
  virtual void add(const std::string& pipeline, const std::vector<link::StageInput>& linked) = 0;
  // The file with all added pipelines, and everything that was not linked.
  virtual std::string bytes() const = 0;
  // The name of the file, without folder.
  virtual std::string file_name() const = 0;
};

// The contents of a manifest.
struct Collection {
  std::vector<PipelineSource> pipelines;
  std::vector<PassedThrough> others;
  std::shared_ptr<PipelineStore> store;  // null: results are files
  Diagnostics warnings;
};

// Ids of --spec that no pipeline of a run declares. An id that only some pipelines lack is no mistake.
class UnknownSpecIds {
 public:
  void note(const std::set<std::uint32_t>& unknown_to_pipeline);
  // One warning for each id.
  Diagnostics warnings() const;

 private:
  std::optional<std::set<std::uint32_t>> ids_;  // unknown to all pipelines so far
};

// Adds the input options to a subcommand. Without `with_manifest` there is no --manifest.
void declare_inputs(CLI::App& app, InputOptions& options, bool with_manifest = true);

// How to compile and validate. Error: usage, an option value that makes no sense.
Result<frontend::CompileOptions> compile_options_of(const InputOptions& options);
spirv::ValidatorOptions validator_options_of(const InputOptions& options);

// Adds a description to a source that has only a name so far. Paths are relative to the folder of `described_in`, which
// may be "-". Errors: those of the layout's file.
Result<void> describe(const link::PipelineDescription& description, const std::string& described_in,
                      PipelineSource& source);

// The layout that the file holds; none without a name. Errors: io, usage.
Result<std::optional<link::PipelineLayout>> read_layout(const std::string& file);

// The pipelines in the order of the manifest, or the one of the command line. Nothing but the manifest is read, and for
// a manifest of another form (docs/formats.md) the modules that have specialization data. Errors: io and usage; a
// manifest with a bad line gives no pipeline at all.
Result<Collection> collection_of(const InputOptions& options);
// Only the pipelines that are linked.
Result<std::vector<PipelineSource>> pipelines_of(const InputOptions& options);

// "vert=x" -> vertex and "x"; none and the whole text if there is no stage in front of a '='.
std::pair<std::optional<Stage>, std::string> split_stage(const std::string& text);

// Reads and compiles one pipeline; state and layout are carried over.
Result<frontend::LoadedPipeline> load(const PipelineSource& source, const frontend::CompileOptions& options,
                                      Diagnostics* messages = nullptr);

}  // namespace varylink::cli
