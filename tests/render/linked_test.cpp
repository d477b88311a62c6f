// Draws what the linker makes of every pipeline case and of every sample, beside the original.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "driver/link_pipeline.h"
#include "render/render_support.h"
#include "support/case_file.h"
#include "support/case_options.h"
#include "support/catch.h"

namespace varylink::test {
namespace {

using verify::Verdict;

std::vector<link::StageInput> stages_of(const link::LinkedPipeline& linked, const link::PipelineInput& original) {
  std::vector<link::StageInput> result;
  for (const link::StageOutput& output : linked.stages) {
    link::StageInput stage{output.stage, std::string("linked.") + std::string(short_name(output.stage)), output.words,
                           ""};
    for (const link::StageInput& input : original.stages)
      if (input.stage == output.stage) stage.entry_point = input.entry_point;
    result.push_back(std::move(stage));
  }
  return result;
}

// How often each verdict came out, by the stages of the pipeline, printed at the end: a verdict that is not `different`
// is no failure, but "not covered" is worth knowing.
class Tally {
 public:
  explicit Tally(std::string what) : what_(std::move(what)) {}
  ~Tally() {
    for (const auto& [stages, counts] : counts_) {
      std::printf("%s, %s:", what_.c_str(), stages.c_str());
      for (const auto& [verdict, count] : counts) std::printf(" %d %s;", count, std::string(name_of(verdict)).c_str());
      std::printf("\n");
    }
  }
  void add(const link::PipelineInput& pipeline, Verdict verdict) {
    std::string stages;
    for (const link::StageInput& stage : pipeline.stages)
      stages += (stages.empty() ? "" : "+") + std::string(short_name(stage.stage));
    ++counts_[stages][verdict];
  }
  void note_reason(const std::string& reason) {
    if (reason.find("the device has no mesh shaders") != std::string::npos) has_mesh_ = false;
  }
  bool has_mesh() const { return has_mesh_; }
  // Pipelines of these stages, such as "vert+frag", whose pictures were seen to be the same.
  int proved(const std::string& stages) {
    return counts_[stages][Verdict::identical] + counts_[stages][Verdict::within_tolerance];
  }

 private:
  std::string what_;
  bool has_mesh_ = true;
  std::map<std::string, std::map<Verdict, int>> counts_;
};

// Links, draws both and checks that nothing differs. What the linker refuses has nothing to draw. `may_differ`: listed
// in tests/render/EXEMPT.
void check_pipeline(const link::PipelineInput& pipeline, const link::LinkOptions& options, bool may_differ,
                    Tally& tally) {
  const link::LinkedPipeline linked = driver::link_pipeline(pipeline, options);
  if (linked.failure != ErrorKind::none) return;
  verify::VerifyOptions verify_options;
  verify_options.level = options.level;
  verify_options.runs = 4;
  verify_options.state = pipeline.state;
  const verify::Comparison result = renderer()->compare(pipeline.stages, stages_of(linked, pipeline), verify_options);
  INFO(result.text());
  if (may_differ)  // if it no longer does, it is no exemption
    CHECK((result.verdict == Verdict::different || result.verdict == Verdict::not_run));
  else
    CHECK(result.verdict != Verdict::different);
  tally.add(pipeline, result.verdict);
  tally.note_reason(result.reason);
  if (std::getenv("VARYLINK_RENDER_VERBOSE") != nullptr)
    std::printf("%s: %s\n", pipeline.name.c_str(), result.text().c_str());
}

// The cases ("topic/name") of tests/render/EXEMPT: one per line, "#" starts a comment.
std::vector<std::string> exempt_cases() {
  std::ifstream stream(VARYLINK_SOURCE_DIR "/tests/render/EXEMPT");
  std::vector<std::string> names;
  for (std::string line; std::getline(stream, line);) {
    line = trim(std::string_view(line).substr(0, line.find('#')));
    if (!line.empty()) names.push_back(line);
  }
  return names;
}

bool is_exempt(const std::string& path) {
  const std::vector<std::string> exempt = exempt_cases();
  const std::filesystem::path file(path);
  const std::string name = file.parent_path().stem().string() + "/" + file.stem().string();
  return std::find(exempt.begin(), exempt.end(), name) != exempt.end();
}

void check_case(const std::string& path, Tally& tally) {
  const Result<CaseFile> file = read_case(path);
  REQUIRE(file);
  Result<CaseOptions> options = case_options(*file);
  REQUIRE(options);
  const Result<frontend::LoadedPipeline> loaded = load_case(*file, *options, nullptr);
  if (!loaded) return;  // a case about sources that do not compile
  check_pipeline(loaded->pipeline, options->link, is_exempt(path), tally);
}

std::vector<std::string> topic_folders() {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(VARYLINK_SOURCE_DIR "/tests/pipelines"))
    if (entry.is_directory()) folders.push_back(entry.path().string());
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace

TEST_CASE("render: every pipeline case draws the same picture", "[render][linked]") {
  if (renderer() == nullptr) return;
  Tally tally("pipeline cases");
  for (const std::string& folder : topic_folders()) {
    for (const std::string& path : case_files(folder)) {
      INFO(path);
      check_case(path, tally);
    }
  }
  std::vector<std::string> wanted = {"vert",      "vert+frag",      "vert+tesc+tese",          "vert+tesc+tese+frag",
                                     "vert+geom", "vert+geom+frag", "vert+tesc+tese+geom+frag"};
  if (tally.has_mesh())
    wanted.insert(wanted.end(), {"mesh+frag", "task+mesh+frag"});
  else
    std::printf("pipeline cases: mesh pipelines are skipped, the driver has no mesh shaders (docs/verification.md)\n");
  for (const std::string& stages : wanted) {
    INFO(stages);
    CHECK(tally.proved(stages) > 0);
  }
}

TEST_CASE("render: every sample draws the same picture", "[render][linked]") {
  if (renderer() == nullptr) return;
  Tally tally("samples");
  const std::string folder = VARYLINK_SOURCE_DIR "/samples/";
  std::ifstream manifest(folder + "pipelines.jsonl");
  for (std::string line; std::getline(manifest, line);) {
    const nlohmann::json entry = nlohmann::json::parse(line);
    std::vector<frontend::SourceFile> files;
    for (const auto& [stage, path] : entry["stages"].items())
      files.push_back({folder + path.get<std::string>(), stage_from_short_name(stage), ""});
    const std::string name = entry["name"];
    INFO(name);
    const Result<frontend::LoadedPipeline> loaded = frontend::load_pipeline(name, files, {});
    REQUIRE(loaded);
    for (const link::Level level : {link::Level::exact, link::Level::motion}) {
      link::LinkOptions options;
      options.level = level;
      check_pipeline(loaded->pipeline, options, false, tally);
    }
  }
}

}  // namespace varylink::test
