// Files or texts of any supported kind -> SPIR-V words of a stage. The only user of glslang.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "frontend/source_kind.h"
#include "link/model/pipeline.h"
#include "spirv/tools/specialize.h"
#include "spirv/tools/tools.h"

namespace varylink::frontend {

class GlslWorkers;  // frontend/glsl_workers.h

// NonSemantic.Shader.DebugInfo.100, as glslangValidator writes it with -gV and -gVS.
enum class DebugRecords : std::uint8_t { none, without_source, with_source };

struct StageOptions {
  std::vector<std::string> include_dirs;
  std::vector<std::pair<std::string, std::string>> defines;
  spirv::SpecializationValues specialization;
};

struct CompileOptions {
  spirv::TargetEnv env = spirv::TargetEnv::vulkan1_3;
  std::vector<std::string> include_dirs;                     // -I
  std::vector<std::pair<std::string, std::string>> defines;  // -D name=value
  bool debug_info = false;                                   // -g
  DebugRecords debug_records = DebugRecords::none;           // besides
  spirv::SpecializationValues specialization;                // --spec; changes the words of the stages
  std::map<Stage, std::string> entry_points;                 // -e stage=name, for files that do not name theirs
  std::map<Stage, StageOptions> stages;                      // for one stage; takes precedence
  // Content of an included file, none if there is none. Empty: the file system.
  std::function<std::optional<std::string>(const std::string& path)> read_include;
  // Compile GLSL, one compiler each at a time; without them, or with read_include, this process compiles.
  std::shared_ptr<GlslWorkers> workers;
};

struct SourceFile {
  std::string path;            // "-" is standard input
  std::optional<Stage> stage;  // -S or the manifest key; none: from suffix or entry point
  std::string entry_point;     // -e, empty: "main" for GLSL, the only one for SPIR-V
};

// A source that is in memory already.
struct SourceText {
  SourceFile file;  // the path is the name in messages, and the base of its includes
  SourceKind kind = SourceKind::spirv_binary;
  std::string bytes;
  // SPIR-V as spirv::read_with_foreign() gives it, from who needed that before; nullptr: loading reads it.
  std::shared_ptr<const spirv::Module> read = {};
};

struct LoadedPipeline {
  link::PipelineInput pipeline;
  std::vector<std::string> dependencies;  // every file that was read, includes too, in order of first reading
  Diagnostics warnings;
  bool glsl_warned = false;  // some of the warnings are those of the GLSL compiler
  // Ids of CompileOptions::specialization that no stage declares. Empty if a stage cannot be read. Those of one stage
  // that the stage lacks are among the warnings.
  std::set<std::uint32_t> unknown_spec_ids;
};

// Reads and compiles the stages of one pipeline together, so that GLSL varyings without a location get the same one in
// every stage, by name.
// Errors: io, glsl (the compiler's message with file and line), invalid_spirv, usage (two files for one stage, a stage
// that cannot be told, an entry point that is not there). The first error is returned; if `messages` is not null it
// also gets everything else the GLSL compiler said about the failing file.
// SPIR-V comes out word for word as it went in, in host byte order, but for specialization constants that get their
// value here; it is not validated.
// A SPIR-V file with entry points for several stages stands for all of them unless its stage is given.
// Thread safe.
Result<LoadedPipeline> load_pipeline(const std::string& name, const std::vector<SourceFile>& files,
                                     const CompileOptions& options, Diagnostics* messages = nullptr);

// The same for sources in memory: reads no file, as long as options.read_include is set or no GLSL includes anything.
Result<LoadedPipeline> load_texts(const std::string& name, std::span<const SourceText> sources,
                                  const CompileOptions& options, Diagnostics* messages = nullptr);

// False if this build has no GLSL compiler: then every GLSL source is an error of kind glsl.
bool can_compile_glsl();

}  // namespace varylink::frontend
