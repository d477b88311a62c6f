// Whether SPIRV-Tools are asked for everything that they could do: spirv/tools/clean_up_work.h says so by looking for
// what their passes look for, and this holds it to the passes themselves, on every module that is cleaned up while the
// pipeline cases are linked. A newer release of SPIRV-Tools that finds more is found here.
#include "spirv/tools/clean_up_work.h"

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "driver/link_pipeline.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/optimize.h"
#include "support/case_options.h"
#include "support/catch.h"

namespace varylink::test {
namespace {

using spirv::CleanUp;
using Steps = std::vector<CleanUp>;
using Words = std::vector<std::uint32_t>;

// In the order of CleanUp.
constexpr std::array kNames = {
    "merge_returns",      "inline_functions",    "private_to_local",    "forward_array_copies", "split_aggregates",
    "promote_locals",     "unroll_marked_loops", "propagate_constants", "remove_dead_branches", "merge_blocks",
    "merge_redundancies", "remove_dead_code",    "compact_ids",         "fold_specialized"};
const char* name_of(CleanUp step) { return kNames.at(static_cast<std::size_t>(step)); }

constexpr std::size_t kHeaderWords = 5;  // with the number of ids, which every run may change

class Comparison : public spirv::ToolCache {
 public:
  std::string name;  // of the pipeline that is linked

  std::optional<std::string> load(Stage, const std::string&) override { return std::nullopt; }
  void store(const std::string&, const std::string&) override {}

  void left_out(const spirv::Module& module, CleanUp step, std::span<const CleanUp> before) override {
    ++left_out_;
    const Words words = words_of(module);
    if (!changes(words, step, before)) return;
    INFO(name << ": " << name_of(step) << " was left out after " << before.size() << " others\n"
              << spirv::disassemble(words));
    CHECK(!"SPIRV-Tools change a module in which they should find nothing");
  }

  void will_run(const spirv::Module& module, std::span<const CleanUp> steps) override {
    if (!spirv::is_plain(module)) return;  // nobody looked for work there
    const Words words = words_of(module);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      auto& [runs, in_vain] = runs_[steps[i]];
      ++runs;
      if (!changes(words, steps[i], steps.first(i))) ++in_vain;
    }
  }

  std::size_t left_out_count() const { return left_out_; }

  std::string summary() const {
    std::ostringstream text;
    text << left_out_ << " steps left out";
    for (const auto& [step, counts] : runs_)
      text << "\n" << name_of(step) << ": " << counts.first << " runs, " << counts.second << " in vain";
    return text.str();
  }

 private:
  static Words words_of(spirv::Module module) {
    spirv::remove_dangling_annotations(module);
    return spirv::write_module(module);
  }

  // The step changes what the steps before it leave of the module.
  bool changes(const Words& words, CleanUp step, std::span<const CleanUp> before) {
    Steps steps(before.begin(), before.end());
    const Words without = run(words, steps);
    steps.push_back(step);
    const Words with = run(words, steps);
    return !std::equal(with.begin() + kHeaderWords, with.end(), without.begin() + kHeaderWords, without.end());
  }

  // Many cases have the same modules in between.
  const Words& run(const Words& words, const Steps& steps) {
    const auto [entry, is_new] = known_.try_emplace({words, steps});
    if (is_new) {
      const auto result = steps.empty() ? words : spirv::run_tool_steps(words, steps);
      REQUIRE(result);
      entry->second = *result;
    }
    return entry->second;
  }

  std::size_t left_out_ = 0;
  std::map<CleanUp, std::pair<std::size_t, std::size_t>> runs_;
  std::map<std::pair<Words, Steps>, Words> known_;
};

void link_case(const std::string& path, Comparison& comparison) {
  const Result<CaseFile> file = read_case(path);
  REQUIRE(file);
  Result<CaseOptions> options = case_options(*file);
  REQUIRE(options);
  const auto loaded = load_case(*file, *options, nullptr);
  if (!loaded) return;  // a case about what does not compile
  comparison.name = path;
  options->link.tool_cache = &comparison;
  driver::link_pipeline(loaded->pipeline, options->link);
}

TEST_CASE("a clean-up step that is left out would have found nothing", "[clean-up-work]") {
  Comparison comparison;
  const std::filesystem::path folder = VARYLINK_SOURCE_DIR "/tests/pipelines";
  std::set<std::filesystem::path> topics;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_directory()) topics.insert(entry.path());
  for (const auto& topic : topics)
    for (const std::string& path : case_files(topic.string())) link_case(path, comparison);
  CHECK(comparison.left_out_count() > 1000);
  SUCCEED(comparison.summary());
}

}  // namespace
}  // namespace varylink::test
