// Files of any supported kind -> SPIR-V words of a stage. The only user of glslang.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "link/pipeline.h"
#include "spirv/tools.h"

namespace varylink::frontend {

struct CompileOptions {
  spirv::TargetEnv env = spirv::TargetEnv::vulkan1_3;
  std::vector<std::string> include_dirs;                     // -I
  std::vector<std::pair<std::string, std::string>> defines;  // -D name=value
  bool debug_info = false;                                   // -g
  std::map<Stage, std::string> entry_points;                 // -e stage=name, for files that do not name theirs
};

struct SourceFile {
  std::string path;            // "-" is standard input
  std::optional<Stage> stage;  // -S or the manifest key; none: from suffix or entry point
  std::string entry_point;     // -e, empty: "main" for GLSL, the only one for SPIR-V
};

struct LoadedPipeline {
  link::PipelineInput pipeline;
  std::vector<std::string> dependencies;  // every file that was read, includes too, in order of first reading
  Diagnostics warnings;
};

// Reads and compiles the stages of one pipeline together, so that GLSL varyings without a location get the same one in
// every stage, by name.
// Errors: io, glsl (the compiler's message with file and line), invalid_spirv, usage (two files for one stage, a stage
// that cannot be told, an entry point that is not there). The first error is returned; if `messages` is not null it
// also gets everything else the GLSL compiler said about the failing file.
// SPIR-V comes out word for word as it went in, in host byte order; it is not validated here.
// A SPIR-V file with entry points for several stages stands for all of them unless its stage is given.
// Thread safe.
Result<LoadedPipeline> load_pipeline(const std::string& name, const std::vector<SourceFile>& files,
                                     const CompileOptions& options, Diagnostics* messages = nullptr);

}  // namespace varylink::frontend
