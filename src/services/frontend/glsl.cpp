#include "frontend/glsl.h"

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <optional>

#include "frontend/glsl_messages.h"
#include "frontend/glsl_nesting.h"
#include "frontend/includer.h"
#include "frontend/locations.h"
#include "frontend/read_file.h"
#include "platform/threads.h"
#include "spirv/tools/binary.h"

namespace varylink::frontend {
namespace {

constexpr EShMessages kMessages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);

// glslang's version for a source without #version.
constexpr int kDefaultVersion = 100;

// glslang walks through expressions recursively, with less than 1 KiB a level. Its own parser refuses what is nested
// otherwise more than 10,000 deep; chains of operators it takes at any length.
constexpr std::size_t kMostNesting = 100'000;
constexpr std::size_t kStackBytes = std::size_t{256} << 20;

// (Not std::call_once: glibc cannot let an exception through it when memory has run out.)
void initialize_glslang() { [[maybe_unused]] static const bool once = glslang::InitializeProcess(); }

EShLanguage language(Stage stage) {
  switch (stage) {
    case Stage::vertex: return EShLangVertex;
    case Stage::tess_control: return EShLangTessControl;
    case Stage::tess_eval: return EShLangTessEvaluation;
    case Stage::geometry: return EShLangGeometry;
    case Stage::task: return EShLangTask;
    case Stage::mesh: return EShLangMesh;
    case Stage::fragment: return EShLangFragment;
  }
  return EShLangVertex;
}

// The SPIR-V version is the highest that the environment accepts.
void set_environment(glslang::TShader& shader, Stage stage, spirv::TargetEnv env) {
  shader.setEnvInput(glslang::EShSourceGlsl, language(stage), glslang::EShClientVulkan, 100);
  const auto set = [&](glslang::EShTargetClientVersion client, glslang::EShTargetLanguageVersion target) {
    shader.setEnvClient(glslang::EShClientVulkan, client);
    shader.setEnvTarget(glslang::EShTargetSpv, target);
  };
  switch (env) {
    case spirv::TargetEnv::vulkan1_0: return set(glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0);
    case spirv::TargetEnv::vulkan1_1: return set(glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3);
    case spirv::TargetEnv::vulkan1_1_spirv1_4: return set(glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_4);
    case spirv::TargetEnv::vulkan1_2: return set(glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5);
    case spirv::TargetEnv::vulkan1_4:  // which no glslang treats differently, and some do not know
    case spirv::TargetEnv::vulkan1_3: return set(glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6);
  }
}

std::string preamble_of(const CompileOptions& options) {
  std::string preamble;
  for (const auto& [name, value] : options.defines) preamble += "#define " + name + " " + value + "\n";
  return preamble;
}

spirv::Module generate(const glslang::TIntermediate& intermediate, bool debug_info, DebugRecords records) {
  glslang::SpvOptions options;
  options.generateDebugInfo = debug_info;
  options.emitNonSemanticShaderDebugInfo = records != DebugRecords::none;
  options.emitNonSemanticShaderDebugSource = records == DebugRecords::with_source;
  options.disableOptimizer = true;
  std::vector<unsigned int> words;
  spv::SpvBuildLogger logger;
  glslang::GlslangToSpv(intermediate, words, &logger, &options);
  Result<spirv::Module> module = spirv::read_module(words, {});
  return module ? std::move(*module) : spirv::Module{};
}

// Keys of the variables without location, in declaration order.
//
// The order in which SPIR-V declares variables is the order of their use. glslang's own location mapping goes by
// declaration, so its locations tell the order; the locations themselves are of no use here, since they differ between
// the stages and collide with explicit ones.
std::vector<std::string> declaration_order(const std::vector<Varying>& unmapped, const std::vector<Varying>& mapped) {
  std::vector<std::pair<std::uint32_t, std::string>> order;
  for (const Varying& varying : unmapped) {
    if (varying.located()) continue;
    const auto same =
        std::find_if(mapped.begin(), mapped.end(), [&](const Varying& v) { return v.key == varying.key; });
    const bool found = same != mapped.end() && same->located();
    order.emplace_back(found ? *same->location : Varying::kNoOrder, varying.key);
  }
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> keys;
  for (auto& [location, key] : order) keys.push_back(std::move(key));
  return keys;
}

// The error to hand back for a failed compilation, and everything the compiler said to `messages`.
Diagnostic failure(const Diagnostics& said, const std::string& file, Diagnostics* messages) {
  if (messages != nullptr) messages->insert(messages->end(), said.begin(), said.end());
  for (const Diagnostic& diagnostic : said)
    if (diagnostic.severity == Severity::error) return diagnostic;
  return make_error(ErrorKind::glsl, file, "the GLSL compiler gave up without a message");
}

Diagnostics link_messages(const std::string& log, const std::string& file, const std::string& entry_point) {
  if (log.find("Missing entry point") == std::string::npos) return parse_glsl_log(log, file);
  const bool chosen = !entry_point.empty() && entry_point != "main";
  const std::string name = chosen ? entry_point : "main";
  return {make_error(chosen ? ErrorKind::usage : ErrorKind::glsl, file, "entry point '" + name + "' not found")};
}

void read_unlocated(glslang::TProgram& program, const glslang::TIntermediate& intermediate, Stage stage,
                    CompiledGlsl& result) {
  const Varyings unmapped = varyings_of(result.module, stage);
  const auto missing = [](const Varying& varying) { return !varying.located(); };
  if (std::none_of(unmapped.inputs.begin(), unmapped.inputs.end(), missing) &&
      std::none_of(unmapped.outputs.begin(), unmapped.outputs.end(), missing))
    return;
  program.mapIO();
  const Varyings mapped = varyings_of(generate(intermediate, false, DebugRecords::none), stage);
  result.inputs = declaration_order(unmapped.inputs, mapped.inputs);
  result.outputs = declaration_order(unmapped.outputs, mapped.outputs);
}

Result<CompiledGlsl> compile_here(const GlslSource& given, const CompileOptions& options, Diagnostics* messages) {
  const auto& [text, file, stage, entry_point] = given;
  initialize_glslang();
  glslang::TShader shader(language(stage));
  const char* source = text.data();
  const int length = static_cast<int>(text.size());
  const char* name = file.c_str();
  const std::string preamble = preamble_of(options);
  shader.setStringsWithLengthsAndNames(&source, &length, &name, 1);
  shader.setPreamble(preamble.c_str());
  set_environment(shader, stage, options.env);
  const char* entry = entry_point.empty() ? "main" : entry_point.c_str();
  shader.setEntryPoint(entry);        // its name in SPIR-V
  shader.setSourceEntryPoint(entry);  // the function in the source
  shader.setAutoMapLocations(true);

  Includer includer(options);
  const auto flags = static_cast<EShMessages>(kMessages | (options.debug_info ? EShMsgDebugInfo : EShMsgDefault));
  const bool parsed = shader.parse(GetDefaultResources(), kDefaultVersion, false, flags, includer);
  const Diagnostics said = parse_glsl_log(shader.getInfoLog(), file);
  if (!parsed) return failure(said, file, messages);

  glslang::TProgram program;
  program.addShader(&shader);
  const glslang::TIntermediate* intermediate = program.link(flags) ? program.getIntermediate(language(stage)) : nullptr;
  if (intermediate == nullptr) {
    Diagnostics all = link_messages(program.getInfoLog(), file, entry_point);
    all.insert(all.end(), said.begin(), said.end());
    return failure(all, file, messages);
  }

  CompiledGlsl result;
  result.module = generate(*intermediate, options.debug_info, options.debug_records);
  if (result.module.functions.empty())
    return failure({make_error(ErrorKind::glsl, file, "the GLSL compiler produced no code")}, file, messages);
  read_unlocated(program, *intermediate, stage, result);
  result.includes = includer.files();
  result.warnings = said;
  return result;
}

// Why the source is not given to the compiler.
std::optional<std::string> reason_to_refuse(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return "the file is empty";
  if (text.find('\0') != std::string::npos) return "neither SPIR-V nor text";
  if (deepest_nesting(text) <= kMostNesting) return std::nullopt;
  return "an expression of more than " + std::to_string(kMostNesting) + " tokens is nested too deeply for the compiler";
}

}  // namespace

bool can_compile_glsl() { return true; }

Result<CompiledGlsl> compile_glsl(const GlslSource& source, const CompileOptions& options, Diagnostics* messages) {
  if (const std::optional<std::string> reason = reason_to_refuse(source.text))
    return failure({make_error(ErrorKind::glsl, source.file, *reason)}, source.file, messages);
  std::optional<Result<CompiledGlsl>> compiled;
  std::exception_ptr thrown;
  const std::function<void()> compile = [&] {
    try {
      compiled.emplace(compile_here(source, options, messages));
    } catch (...) {
      thrown = std::current_exception();
    }
  };
  // Where there is no room for the whole stack, a smaller one does for most.
  for (std::size_t stack = kStackBytes; !compiled && !thrown && stack >= platform::DeepThreads::kStackBytes; stack /= 4)
    const platform::DeepThreads thread(1, compile, stack);
  if (!compiled && !thrown) compile();
  if (thrown) std::rethrow_exception(thrown);
  return std::move(*compiled);
}

}  // namespace varylink::frontend
