// Reading and writing: every word of every module that the samples and the pipeline cases hold, in both byte orders,
// and what happens to input that is broken.
#include <cstring>
#include <filesystem>
#include <random>

#include "spirv/ir/uses.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/case_options.h"
#include "support/catch.h"

namespace varylink::spirv {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::uint32_t>;

const std::string kRoot = VARYLINK_SOURCE_DIR;

struct NamedModule {
  std::string name;
  Words words;
};

void add_case(const std::string& path, bool debug_info, std::vector<NamedModule>& modules) {
  const Result<test::CaseFile> file = test::read_case(path);
  REQUIRE(file);
  Result<test::CaseOptions> options = test::case_options(*file);
  REQUIRE(options);
  options->compile.debug_info = debug_info;
  const Result<frontend::LoadedPipeline> loaded = test::load_case(*file, *options, nullptr);
  if (!loaded) return;  // cases about input that does not compile
  for (const link::StageInput& stage : loaded->pipeline.stages) modules.push_back({stage.file, stage.words});
}

std::vector<NamedModule> read_modules() {
  std::vector<NamedModule> modules;
  for (const auto& topic : fs::directory_iterator(kRoot + "/tests/pipelines"))
    for (const std::string& path : test::case_files(topic.path().string()))
      for (const bool debug_info : {false, true}) add_case(path, debug_info, modules);
  for (const auto& sample : fs::directory_iterator(kRoot + "/samples/shaders")) {
    frontend::CompileOptions options;
    options.include_dirs = {kRoot + "/samples/shaders"};
    const auto loaded = frontend::load_pipeline("sample", {{sample.path().string(), {}, {}}}, options);
    if (!loaded) continue;  // files that are only included
    for (const link::StageInput& stage : loaded->pipeline.stages) modules.push_back({stage.file, stage.words});
  }
  return modules;
}

const std::vector<NamedModule>& all_modules() {
  static const std::vector<NamedModule> modules = read_modules();
  return modules;
}

std::vector<char> bytes_of(const Words& words) {
  std::vector<char> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

TEST_CASE("reading and writing an untouched module gives the same words", "[spirv]") {
  const std::vector<NamedModule>& modules = all_modules();
  REQUIRE(modules.size() > 200);
  for (const NamedModule& module : modules) {
    INFO(module.name);
    const Result<Module> read = read_module(module.words, module.name);
    REQUIRE(read);
    CHECK(write_module(*read) == module.words);
  }
}

TEST_CASE("files of both byte orders are the same module", "[spirv]") {
  const NamedModule module = all_modules().front();
  std::vector<char> bytes = bytes_of(module.words);
  CHECK(*words_from_bytes(bytes, "same") == module.words);
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    std::swap(bytes[i], bytes[i + 3]);
    std::swap(bytes[i + 1], bytes[i + 2]);
  }
  CHECK(*words_from_bytes(bytes, "swapped") == module.words);
}

TEST_CASE("bytes that are no SPIR-V are refused", "[spirv]") {
  const std::vector<char> bytes = bytes_of(all_modules().front().words);
  for (const std::size_t size : {0u, 1u, 3u, 4u, 16u, 21u}) {
    INFO(size);
    const auto words = words_from_bytes(std::span(bytes).first(size), "short.spv");
    REQUIRE_FALSE(words);
    CHECK(words.error().kind == ErrorKind::invalid_spirv);
    CHECK(words.error().file == "short.spv");
  }
  std::vector<char> other = bytes;
  other[0] = 'x';
  CHECK_FALSE(words_from_bytes(other, "other"));
}

TEST_CASE("a module that ends in the middle of an instruction is refused", "[spirv]") {
  const Words words = all_modules().front().words;
  std::size_t next = 5;
  for (std::size_t size = 5; size < words.size(); ++size) {
    if (size == next) {
      next += words[next] >> 16;
      continue;
    }
    INFO(size);
    CHECK_FALSE(read_module(std::span(words).first(size), "cut"));
  }
}

// SPIR-V 2.4: functions come last, and hold parameters and blocks.
TEST_CASE("instructions behind the functions, or in one but in no block, are refused", "[spirv]") {
  constexpr std::uint32_t kNop = 1u << 16, kFunctionEnd = 1u << 16 | static_cast<std::uint32_t>(spv::Op::OpFunctionEnd);
  const Words words = all_modules().front().words;
  REQUIRE(words.back() == kFunctionEnd);
  for (const std::ptrdiff_t from_end : {0, 1}) {
    Words edited = words;
    edited.insert(edited.end() - from_end, kNop);
    CHECK_FALSE(read_module(edited, "edited"));
  }
}

TEST_CASE("broken words are refused or read, never a crash", "[spirv]") {
  const std::vector<NamedModule>& modules = all_modules();
  std::mt19937 random(1);
  std::size_t refused = 0;
  for (int round = 0; round < 2000; ++round) {
    Words words = modules[random() % modules.size()].words;
    const int edits = 1 + static_cast<int>(random() % 3);
    for (int edit = 0; edit < edits; ++edit) {
      std::uint32_t& word = words[1 + random() % (words.size() - 1)];
      const std::uint32_t kinds[] = {0u, 1u, 0xffffffffu, word ^ (1u << (random() % 32)), word + 1, words[3]};
      word = kinds[random() % 6];
    }
    const Result<Module> module = read_module(words, "mutated");
    if (!module) {
      ++refused;
      continue;
    }
    // What was read can be looked at, written and read again. It need not be the same: instructions that stand where
    // SPIR-V does not allow them are sorted into their sections.
    const Uses uses(*module);
    places_of(*module);
    CHECK(read_module(write_module(*module), "again"));
  }
  CHECK(refused > 0);
}

// As spirv-opt writes it.
TEST_CASE("a scope may end in front of the end of a function", "[spirv]") {
  const auto words = assemble(
      "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n"
      "%debug = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint Vertex %main \"main\"\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
      "%main = OpFunction %void None %fn\n%start = OpLabel\nOpReturn\n"
      "%end = OpExtInst %void %debug DebugNoScope\nOpFunctionEnd\n",
      TargetEnv::vulkan1_3, "test");
  REQUIRE(words);
  const Result<Module> module = read_module(*words, "test");
  REQUIRE(module);
  CHECK(write_module(*module) == *words);
}

}  // namespace
}  // namespace varylink::spirv
