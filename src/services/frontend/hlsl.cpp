#include "frontend/hlsl.h"

#include "frontend/read_file.h"
#include "platform/captured_program.h"
#include "platform/temporary_folder.h"
#include "spirv/tools/binary.h"

namespace varylink::frontend {
namespace {

constexpr const char* kCompiler = "dxc";

// Shader model 6.0 has all stages but those of mesh pipelines.
const char* profile_of(Stage stage) {
  switch (stage) {
    case Stage::vertex: return "vs_6_0";
    case Stage::tess_control: return "hs_6_0";
    case Stage::tess_eval: return "ds_6_0";
    case Stage::geometry: return "gs_6_0";
    case Stage::task: return "as_6_5";
    case Stage::mesh: return "ms_6_5";
    case Stage::fragment: return "ps_6_0";
  }
  return "";
}

// DXC knows no vulkan1.4, and has a name of its own for another.
std::string environment_of(spirv::TargetEnv env) {
  if (env == spirv::TargetEnv::vulkan1_1_spirv1_4) return "vulkan1.1spirv1.4";
  return std::string(spirv::name_of(env == spirv::TargetEnv::vulkan1_4 ? spirv::TargetEnv::vulkan1_3 : env));
}

std::vector<std::string> command_for(const std::string& path, Stage stage, const std::string& entry,
                                     const CompileOptions& options) {
  std::vector<std::string> words = {kCompiler,
                                    "-spirv",
                                    "-fspv-reflect",
                                    "-T",
                                    profile_of(stage),
                                    "-E",
                                    entry.empty() ? "main" : entry,
                                    "-fspv-target-env=" + environment_of(options.env)};
  if (options.debug_info) words.push_back("-Zi");
  for (const auto& [name, value] : options.defines) words.push_back("-D" + name + (value.empty() ? "" : "=" + value));
  for (const std::string& folder : options.include_dirs) words.push_back("-I" + folder);
  words.push_back(path);
  return words;
}

std::string shown(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// The first line that names an error, else the first.
std::string first_error(const std::string& output) {
  const std::size_t error = output.find("error:");
  const std::size_t begin = error == std::string::npos ? 0 : output.rfind('\n', error) + 1;
  return output.substr(begin, output.find('\n', begin) - begin);
}

}  // namespace

bool is_hlsl(std::string_view path) { return path.ends_with(".hlsl"); }

Result<std::vector<std::uint32_t>> compile_hlsl(const std::string& path, Stage stage, const std::string& entry,
                                                const CompileOptions& options) {
  std::vector<std::string> words = command_for(path, stage, entry, options);
  const platform::TemporaryFolder folder("varylink-hlsl-");
  if (!folder.is_there()) return make_error(ErrorKind::io, path, "there is no folder for temporary files");
  const std::string result = folder.path_of("out.spv");
  std::vector<std::string> command = words;
  command.insert(command.end(), {"-Fo", result});
  const platform::CapturedEnd end = platform::run_captured(command);
  // Where posix_spawn cannot tell, a program that is not there ends with 127.
  if (end.error != 0 || (end.status == 127 && end.output.empty())) {
    words.insert(words.end(), {"-Fo", std::string(short_name(stage)) + ".spv"});
    return make_error(
        ErrorKind::glsl, path,
        "HLSL is compiled by dxc (Debian 13: directx-shader-compiler), which is not on the path; link what "
        "it makes: " +
            shown(words));
  }
  if (end.status != 0) return make_error(ErrorKind::glsl, path, "dxc: " + first_error(end.output));
  const Result<std::string> bytes = read_file(result);
  if (!bytes) return make_error(ErrorKind::glsl, path, "dxc wrote no module: " + first_error(end.output));
  return spirv::words_from_bytes(*bytes, path);
}

}  // namespace varylink::frontend
