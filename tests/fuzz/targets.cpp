#include "fuzz/targets.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include "cli/settings/manifest.h"
#include "driver/link_pipeline.h"
#include "formats/fossilize/linked_database.h"
#include "formats/fossilize/pipeline_hash.h"
#include "formats/sc/pipeline_json.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/newer_module.h"

namespace varylink::fuzz {
namespace {

// Bounds the time of one input; large modules find nothing that small ones do not.
constexpr std::size_t kMaxBytes = 64 * 1024;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

std::vector<std::uint32_t> words_of(std::span<const std::uint8_t> bytes) {
  const Result<std::vector<std::uint32_t>> words =
      spirv::words_from_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "input");
  return words ? *words : std::vector<std::uint32_t>{};
}

std::optional<link::StageInput> stage_of(const std::vector<std::uint32_t>& words) {
  const Result<spirv::Module> module = spirv::read_module(words, "input");
  if (!module || module->entries().empty()) return std::nullopt;
  const spirv::EntryPoint entry = module->entries().front();
  const std::optional<Stage> stage = stage_from_execution_model(static_cast<std::uint32_t>(entry.model));
  if (!stage) return std::nullopt;
  return link::StageInput{*stage, std::string(short_name(*stage)), words, entry.name};
}

Outcome link_stages(std::vector<link::StageInput> stages) {
  link::PipelineInput pipeline;
  pipeline.name = "input";
  pipeline.stages = std::move(stages);
  const link::LinkedPipeline linked = driver::link_pipeline(pipeline, {});
  require(linked.stages.empty() == (linked.failure != ErrorKind::none), "stages or a failure, never both or none");
  if (linked.failure == ErrorKind::verification_failed)
    for (const Diagnostic& diagnostic : linked.diagnostics) std::fprintf(stderr, "%s\n", render(diagnostic).c_str());
  require(linked.failure != ErrorKind::verification_failed, "a result that fails its own checks is a bug");
  if (linked.failure != ErrorKind::none) return Outcome::refused;
  if (linked.unchecked.empty()) return Outcome::linked;
  require(std::any_of(pipeline.stages.begin(), pipeline.stages.end(),
                      [](const link::StageInput& stage) { return !spirv::newer_features(stage.words).empty(); }),
          "what declares nothing that is newer is not passed through");
  return Outcome::passed_unchecked;
}

}  // namespace

void run_module(const std::uint8_t* data, std::size_t size) {
  if (size > kMaxBytes) return;
  const std::vector<std::uint32_t> words = words_of({data, size});
  const Result<spirv::Module> module = spirv::read_module(words, "input");
  if (!module) return;
  const Result<spirv::Module> again = spirv::read_module(spirv::write_module(*module), "again");
  require(bool(again), "what was written can be read");
  require(spirv::write_module(*again) == spirv::write_module(*module), "written modules read and write back unchanged");
  if (const auto stage = stage_of(words)) link_stages({*stage});
}

void run_pair(const std::uint8_t* data, std::size_t size) {
  std::uint32_t first_words = 0;
  if (size < sizeof first_words || size > kMaxBytes) return;
  std::memcpy(&first_words, data, sizeof first_words);
  const std::span<const std::uint8_t> rest{data + sizeof first_words, size - sizeof first_words};
  const std::size_t split = std::size_t{first_words} * 4;
  if (split > rest.size()) return;
  link_pair(words_of(rest.first(split)), words_of(rest.subspan(split)));
}

Outcome link_pair(const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& second) {
  const auto as = [](Stage stage, const std::vector<std::uint32_t>& words) {
    return stage_of(words).value_or(link::StageInput{stage, std::string(short_name(stage)), words, "main"});
  };
  return link_stages({as(Stage::vertex, first), as(Stage::fragment, second)});
}

void run_manifest(const std::uint8_t* data, std::size_t size) {
  if (size > kMaxBytes) return;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto pipelines = cli::parse_manifest(text, "input.jsonl");
  if (!pipelines) require(!pipelines.error().message.empty(), "an error says something");
}

void run_database(const std::uint8_t* data, std::size_t size) {
  if (size > kMaxBytes) return;
  using namespace formats::fossilize;
  const Result<Recording> recording = Recording::read({reinterpret_cast<const char*>(data), size}, "input.foz");
  if (!recording) return require(!recording.error().message.empty(), "an error says something");
  const Database& database = recording->database();
  std::size_t whole = database.header.size();
  LinkedDatabase linked(*recording);
  for (const Entry& entry : database.entries) {
    whole += entry.bytes.size();
    if (entry.tag == Tag::shader_module)
      if (const auto module = recording->module(entry.hash))
        require(module->words.size() <= size, "no word without a byte");
    if (entry.tag != Tag::graphics_pipeline) continue;
    const RecordedPipeline pipeline = read_pipeline(*recording, entry);
    if (!pipeline.text.empty()) hash_of_pipeline(pipeline.text, entry.hash);
    const std::uint32_t words[] = {0x07230203, 0x10000, 0, 1, 0};
    if (pipeline.why_not.empty()) linked.add(entry, {{pipeline.modules.begin()->first, words}});
  }
  require(LinkedDatabase(*recording).bytes() == std::string_view(*database.file).substr(0, whole),
          "a lossless round trip");
  require(bool(Recording::read(linked.bytes(), "linked.foz")), "what is written reads");
}

void run_pipeline_json(const std::uint8_t* data, std::size_t size) {
  if (size > kMaxBytes) return;
  const auto pipeline = formats::sc::parse_pipeline_json({reinterpret_cast<const char*>(data), size}, "input.json",
                                                         [](const std::string&) { return std::nullopt; });
  if (!pipeline) return require(!pipeline.error().message.empty(), "an error says something");
  std::vector<std::string> names;
  for (const auto& shader : pipeline->shaders) names.push_back(shader.name);
  const auto again = formats::sc::parse_pipeline_json(formats::sc::with_shader_names(*pipeline, names), "again.json",
                                                      [](const std::string&) { return std::nullopt; });
  require(bool(again) && again->shaders.size() == names.size(), "what is written reads");
}

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {{"module", run_module},
                                          {"pair", run_pair},
                                          {"manifest", run_manifest},
                                          {"database", run_database},
                                          {"pipeline_json", run_pipeline_json}};
  return all;
}

}  // namespace varylink::fuzz
