#include "support/pipeline_case.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "driver/link_pipeline.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/case_options.h"
#include "support/guarantees.h"
#include "support/listing_check.h"
#include "support/outcome.h"
#include "support/without_debug.h"

namespace varylink::test {
namespace {

constexpr std::string_view kExpect = "expect ", kCheck = "check ", kInterface = "interface ";
// First line of an interface listing if nothing about the interface changed. A case that expects just this line is
// never blessed to something else.
constexpr std::string_view kUnchanged = "unchanged\n";

bool starts_with(const std::string& text, std::string_view prefix) { return text.rfind(prefix, 0) == 0; }

class CaseRun {
 public:
  CaseRun(CaseFile file, CaseOptions options) : file_(std::move(file)), options_(std::move(options)) {}

  std::vector<std::string> run(bool bless);

 private:
  void link();
  void check_debug_info();
  void check_same_code(const std::string& flag, const link::LinkedPipeline& other);
  void compare_reports(const std::string& flag, const Outcome& other);
  void check_sections();
  void check_at(link::Level level);
  void check_section(const CaseSection& section);
  void compare();
  bool bless();
  void for_each_expectation(const std::function<void(const std::string& title, const std::string& actual)>& action);
  std::string listing(const std::string& what) const;
  void problem(std::string text) { problems_.push_back(std::move(text)); }

  CaseFile file_;
  CaseOptions options_;
  link::PipelineInput pipeline_;  // no stages if the front end failed
  Outcome outcome_;
  std::vector<std::string> problems_;
};

void CaseRun::link() {
  Diagnostics messages;
  Result<frontend::LoadedPipeline> loaded = load_case(file_, options_, &messages);
  if (!loaded) {
    outcome_ = outcome_of_failure(loaded.error(), messages);
    return;
  }
  pipeline_ = std::move(loaded->pipeline);
  link::LinkedPipeline linked = driver::link_pipeline(pipeline_, options_.link);
  problems_ = broken_guarantees(pipeline_, options_.link, linked);
  outcome_ = outcome_of(std::move(linked), loaded->warnings);
}

// Names, source, lines and records of what the compiler was asked for.
link::PipelineInput without_names(link::PipelineInput pipeline) {
  for (link::StageInput& stage : pipeline.stages) {
    Result<spirv::Module> module = spirv::read_module(stage.words, stage.file);
    if (!module) continue;
    module->debug_names.clear();
    module->debug_strings.clear();
    stage.words = spirv::write_module(*module);
  }
  return pipeline;
}

std::vector<std::vector<std::uint32_t>> words_of(const link::PipelineInput& pipeline) {
  std::vector<std::vector<std::uint32_t>> words;
  for (const link::StageInput& stage : pipeline.stages) words.push_back(stage.words);
  return words;
}

// glslang 12 declares an array whose size is a specialization constant in a way that the validator refuses.
bool is_valid(const link::PipelineInput& pipeline, const spirv::ValidatorOptions& options) {
  return std::all_of(pipeline.stages.begin(), pipeline.stages.end(),
                     [&](const link::StageInput& stage) { return bool(spirv::validate(stage.words, options, "")); });
}

// Debug info must never change what is optimized: with whatever of it a pipeline is compiled, the report and the linked
// modules are the same, but for debug info.
void CaseRun::check_debug_info() {
  using frontend::DebugRecords;
  if (pipeline_.stages.empty()) return;
  struct Kind {
    const char* flag;  // of glslangValidator
    bool lines = false;
    DebugRecords records = DebugRecords::none;
  };
  for (const Kind& kind : {Kind{"no -g"}, Kind{"-g", true}, Kind{"-gV", true, DebugRecords::without_source},
                           Kind{"-gVS", true, DebugRecords::with_source}}) {
    CaseOptions options = options_;
    options.compile.debug_info = kind.lines;
    options.compile.debug_records = kind.records;
    const Result<frontend::LoadedPipeline> loaded = load_case(file_, options, nullptr);
    if (!loaded) return problem(std::string("does not compile with ") + kind.flag + ": " + render(loaded.error()));
    if (words_of(loaded->pipeline) != words_of(pipeline_) && is_valid(loaded->pipeline, options_.link.validator)) {
      link::LinkedPipeline linked = driver::link_pipeline(loaded->pipeline, options.link);
      check_same_code(kind.flag, linked);
      compare_reports(kind.flag, outcome_of(std::move(linked), loaded->warnings));
    }
    if (!kind.lines) check_same_code("-g0", driver::link_pipeline(without_names(loaded->pipeline), options.link));
  }
}

void CaseRun::check_same_code(const std::string& flag, const link::LinkedPipeline& other) {
  for (std::size_t i = 0; i < std::min(other.stages.size(), outcome_.stages.size()); ++i)
    if (without_debug(other.stages[i].words) != without_debug(outcome_.stages[i].words))
      problem("with " + flag + " the code of the " + std::string(short_name(other.stages[i].stage)) +
              " stage is other:\n" +
              line_diff(spirv::disassemble(outcome_.stages[i].words), spirv::disassemble(other.stages[i].words)));
}

void CaseRun::compare_reports(const std::string& flag, const Outcome& other) {
  if (other.status != outcome_.status)
    problem(flag + " changes the status to " + other.status + ":\n" + other.diagnostics);
  for (std::size_t i = 0; i < std::min(other.interfaces.size(), outcome_.interfaces.size()); ++i)
    if (other.interfaces[i] != outcome_.interfaces[i])
      problem(flag + " changes the report:\n" + line_diff(outcome_.interfaces[i].second, other.interfaces[i].second));
  if (other.remarks != outcome_.remarks)
    problem(flag + " changes the remarks:\n" + line_diff(outcome_.remarks, other.remarks));
}

// The text that "check WHAT" and "expect WHAT" speak about.
std::string CaseRun::listing(const std::string& what) const {
  if (what == "status") return outcome_.status + "\n";
  if (what == "remarks") return outcome_.remarks;
  if (what == "diagnostics") return outcome_.diagnostics;
  for (const auto& [name, text] : outcome_.interfaces)
    if (what == std::string(kInterface) + name) return text;
  for (const link::StageOutput& stage : outcome_.stages)
    if (what == short_name(stage.stage)) return spirv::disassemble(stage.words);
  return {};
}

void CaseRun::check_section(const CaseSection& section) {
  const std::string what = section.title.substr(kCheck.size());
  if (section.body == kUnchanged && stage_from_short_name(what)) {
    for (const link::StageInput& before : pipeline_.stages)
      if (what == short_name(before.stage) && listing(what) != spirv::disassemble(before.words))
        problem(file_.path + ":" + std::to_string(section.line) + ": " + section.title + ":\n" +
                line_diff(spirv::disassemble(before.words), listing(what)));
    return;
  }
  const std::string text = listing(what);
  if (const std::string failed = failed_checks(text, section.body); !failed.empty())
    problem(file_.path + ":" + std::to_string(section.line) + ": " + section.title + ":\n" + failed + "in\n" + text);
}

void CaseRun::check_sections() {
  for (const CaseSection& section : file_.sections)
    if (starts_with(section.title, kCheck)) check_section(section);
}

// What must hold holds at another level as well; what came out besides may differ.
void CaseRun::check_at(link::Level level) {
  CaseOptions options = options_;
  options.link.level = level;
  CaseRun other(file_, options);
  other.link();
  other.check_sections();
  for (const std::string& text : other.problems_)
    problem("at -O" + std::to_string(static_cast<int>(level)) + ": " + text);
}

// Messages that come from the compiler or the validator differ between their versions. A case that has a check of the
// diagnostics or remarks and no expectation of them is held to the check alone.
bool is_only_checked(const CaseFile& file, const std::string& what) {
  return (what == "diagnostics" || what == "remarks") && file.find("check " + what) && !file.find("expect " + what);
}

// Calls `action` for everything a case can expect, also for what is absent on either side (an empty text).
void CaseRun::for_each_expectation(
    const std::function<void(const std::string& title, const std::string& actual)>& action) {
  std::vector<std::string> titles = {"expect status"};
  for (const auto& [name, text] : outcome_.interfaces) titles.push_back("expect interface " + name);
  titles.insert(titles.end(), {"expect remarks", "expect diagnostics"});
  for (const CaseSection& section : file_.sections)
    if (starts_with(section.title, kExpect) && std::find(titles.begin(), titles.end(), section.title) == titles.end())
      titles.push_back(section.title);
  for (const std::string& title : titles) {
    const std::string what = title.substr(kExpect.size());
    if (!is_only_checked(file_, what)) action(title, listing(what));
  }
}

// What the case expects under a title; "unchanged" alone stands for every listing that says so.
std::string expected_text(const CaseFile& file, const std::string& title, const std::string& actual) {
  const CaseSection* section = file.find(title);
  if (section == nullptr) return {};
  const std::string body = trim(section->body).empty() ? "" : trim(section->body) + "\n";
  return body == kUnchanged && starts_with(actual, kUnchanged) ? actual : body;
}

void CaseRun::compare() {
  for_each_expectation([&](const std::string& title, const std::string& actual) {
    const std::string expected = expected_text(file_, title, actual);
    if (expected != actual) problem("== " + title + " (- expected, + actual):\n" + line_diff(expected, actual));
  });
}

// Rewrites the expectations. Returns false if one of them may not be rewritten.
bool CaseRun::bless() {
  bool allowed = true;
  for_each_expectation([&](const std::string& title, const std::string& actual) {
    const std::string expected = expected_text(file_, title, actual);
    if (expected == actual) return;
    if (expected == kUnchanged) {
      problem("== " + title + ": must stay unchanged, but became\n" + actual);
      allowed = false;
      return;
    }
    if (actual.empty())
      file_.remove(title);
    else
      file_.set(title, starts_with(actual, kUnchanged) ? std::string(kUnchanged) : actual);
  });
  return allowed;
}

std::vector<std::string> CaseRun::run(bool blessing) {
  if (!states_what_must_hold(file_))
    return {
        file_.path +
        ": has no check section and expects no unchanged interface, so that a blessing could lose what it is about"};
  link();
  check_debug_info();
  check_sections();
  for (const link::Level level : options_.also) check_at(level);
  if (!blessing) {
    compare();
  } else if (const std::string before = file_.text(); bless() && file_.text() != before) {
    std::ofstream(file_.path, std::ios::binary) << file_.text();
  }
  return std::move(problems_);
}

}  // namespace

std::vector<std::string> run_pipeline_case(const std::string& path, bool bless) {
  Result<CaseFile> file = read_case(path);
  if (!file) return {render(file.error())};
  Result<CaseOptions> options = case_options(*file);
  if (!options) return {render(options.error())};
  return CaseRun(std::move(*file), std::move(*options)).run(bless);
}

bool bless_from_environment() {
  const char* value = std::getenv("VARYLINK_BLESS");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace varylink::test
