// Runs the cases of `varylink check`: compiles the sources of each, checks the pipeline, compares the issues.
// README.md in this folder describes the format.
#include "check/check.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "check/vuids.h"
#include "spirv/tools/known_issues.h"
#include "support/case_file.h"
#include "support/case_options.h"
#include "support/catch.h"
#include "support/pipeline_case.h"

namespace varylink::test {
namespace {

const std::string kFolder = VARYLINK_SOURCE_DIR "/tests/check";

struct CheckCase {
  CaseFile file;  // without the directives of this runner
  CaseOptions compile;
  check::CheckOptions options;
  bool newer_validators_refuse = false;
  std::string only_before;  // release of SPIRV-Tools; empty: any
};

void read_check_option(const std::string& option, check::CheckOptions& options) {
  if (option == "--maintenance4")
    options.maintenance4 = true;
  else if (option == "--pipeline-library")
    options.pipeline_library = true;
  else if (option == "--strict")
    options.strict = true;
  else if (option == "--validator-known-issues=error")
    options.validator.known_issues_are_errors = true;
  else
    FAIL("unknown check option " << option);
}

CheckCase read_check_case(const std::string& path) {
  auto file = read_case(path);
  if (!file) FAIL(render(file.error()));
  CheckCase result{std::move(*file), {}, {}, false, {}};
  std::vector<std::string> options;
  for (const auto& [key, value] : result.file.directives) {
    if (key == "check") options = split_words(value);
    if (key == "only-before") result.only_before = value;
    if (key == "newer-validators") result.newer_validators_refuse = value == "refuse";
  }
  std::erase_if(result.file.directives, [](const auto& directive) { return directive.first != "link"; });
  auto compile = case_options(result.file);
  if (!compile) FAIL(render(compile.error()));
  result.compile = std::move(*compile);
  result.options.validator = result.compile.link.validator;
  for (const std::string& option : options) read_check_option(option, result.options);
  if (const CaseSection* limits = result.file.find("limits")) {
    auto parsed = check::parse_limits(limits->body, path);
    if (!parsed) FAIL(render(parsed.error()));
    result.options.limits = *parsed;
  }
  return result;
}

struct CheckOutcome {
  std::string issues;  // "rule: file: error: ..." lines, "none" if there are none
  std::string status;
  bool refused = false;
};

CheckOutcome run(const CheckCase& check_case) {
  Diagnostics messages;
  const auto loaded = load_case(check_case.file, check_case.compile, &messages);
  for (const Diagnostic& message : messages) INFO(render(message));
  if (!loaded) FAIL(render(loaded.error()));
  const auto issues = check::check_pipeline(loaded->pipeline, check_case.options);
  CheckOutcome outcome;
  for (const check::Issue& issue : issues) {
    outcome.issues += std::string(check::row_of(issue.rule).name) + ": " + render(issue.diagnostic) + "\n";
    outcome.refused = outcome.refused || issue.rule == check::Rule::invalid_module;
  }
  if (outcome.issues.empty()) outcome.issues = "none\n";
  outcome.status = std::to_string(exit_status(check::worst_kind(issues))) + "\n";
  return outcome;
}

void compare(const CaseFile& file, const std::string& title, const std::string& actual) {
  const CaseSection* expected = file.find(title);
  REQUIRE(expected != nullptr);
  INFO(title << "\n" << line_diff(expected->body, actual));
  CHECK(expected->body == actual);
}

void run_file(const std::string& path) {
  const CheckCase check_case = read_check_case(path);
  const spirv::KnownIssue until{"", check_case.only_before, "", nullptr};
  if (!check_case.only_before.empty() && !spirv::has_issue(spirv::tools_release(), until)) return;
  const CheckOutcome outcome = run(check_case);
  if (check_case.newer_validators_refuse && outcome.refused) return;
  if (bless_from_environment()) {
    auto file = read_case(path);
    file->set("expect status", outcome.status);
    file->set("expect issues", outcome.issues);
    std::ofstream(path, std::ios::binary) << file->text();
    return;
  }
  compare(check_case.file, "expect status", outcome.status);
  compare(check_case.file, "expect issues", outcome.issues);
}

std::string read_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// "VUID-" and everything up to the five digits at the end.
std::set<std::string> vuids_in(const std::string& text) {
  static const std::regex kVuid("VUID-[A-Za-z0-9]+-[A-Za-z0-9]+-[0-9]{5}");
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), kVuid); it != std::sregex_iterator(); ++it)
    found.insert(it->str());
  return found;
}

}  // namespace

TEST_CASE("check cases", "[check]") {
  const std::vector<std::string> files = case_files(kFolder);
  REQUIRE_FALSE(files.empty());
  for (const std::string& path : files) DYNAMIC_SECTION(std::filesystem::path(path).stem().string()) {
      run_file(path);
    }
}

// A rule without a case that breaks it is a rule that may never fire; one without a case that just keeps it may fire
// for everything.
TEST_CASE("every rule has a case that breaks it and a case that keeps it", "[check]") {
  std::map<std::string, std::set<std::string>> broken_in;
  std::set<std::string> stems;
  for (const std::string& path : case_files(kFolder)) {
    const std::string stem = std::filesystem::path(path).stem().string();
    stems.insert(stem);
    const auto file = read_case(path);
    REQUIRE(file);
    const CaseSection* issues = file->find("expect issues");
    REQUIRE(issues != nullptr);
    for (const std::string& line : split_lines(issues->body)) broken_in[line.substr(0, line.find(':'))].insert(stem);
  }
  for (const check::RuleRow& row : check::rule_table()) {
    const std::string name = row.name;
    CAPTURE(name);
    CHECK_FALSE(broken_in[name].empty());
    CHECK(stems.count(name + "-ok") == 1);
    CHECK(broken_in[name].count(name + "-ok") == 0);
  }
}

TEST_CASE("the README of the cases lists every case", "[check]") {
  const std::string readme = read_text(kFolder + "/README.md");
  for (const std::string& path : case_files(kFolder)) {
    const std::string name = "`" + std::filesystem::path(path).stem().string() + "`";
    CAPTURE(name);
    CHECK(readme.find(name) != std::string::npos);
  }
}

TEST_CASE("the manual lists every rule with its severity and VUID", "[check]") {
  const std::string manual = read_text(VARYLINK_SOURCE_DIR "/docs/check.md");
  for (const check::RuleRow& row : check::rule_table()) {
    const std::string vuid = *row.vuid == 0 ? "" : "`" + std::string(row.vuid) + "`";
    std::string severity(name_of(row.weight.severity));
    if (row.weight.strict != row.weight.severity) severity += " / " + std::string(name_of(row.weight.strict));
    const std::string line = "| `" + std::string(row.name) + "` | " + severity + " | " + vuid +
                             (vuid.empty() ? "| " : " | ") + row.text + " |";
    INFO(line);
    CHECK(manual.find(line) != std::string::npos);
  }
}

// One list of ids, in the source as in the manual; what is named anywhere is in it, and nothing else is.
TEST_CASE("source, manual and the table of VUIDs name the same ones", "[check]") {
  std::set<std::string> table;
  const std::string manual = read_text(VARYLINK_SOURCE_DIR "/docs/check.md");
  for (const check::VuidRow& row : check::vuid_table()) {
    table.insert(row.id);
    const std::string line = "| `" + std::string(row.id) + "` | " + row.version + " |";
    INFO(line);
    CHECK(manual.find(line) != std::string::npos);
  }
  CHECK(table.size() == check::vuid_table().size());
  CHECK(vuids_in(manual) == table);
  std::set<std::string> source;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(VARYLINK_SOURCE_DIR "/src")) {
    if (!entry.is_regular_file() || entry.path().filename() == "vuids.cpp") continue;
    source.merge(vuids_in(read_text(entry.path().string())));
  }
  CHECK(source == table);
}

TEST_CASE("link and check agree about what a broken matching rule counts as", "[check]") {
  for (int number = 0; number <= static_cast<int>(link::Rule::not_described); ++number) {
    const auto rule = static_cast<link::Rule>(number);
    for (const varyings::Direction direction : {varyings::Direction::input, varyings::Direction::output}) {
      const check::RuleRow& row = check::row_of(check::rule_of(rule, direction));
      CAPTURE(row.name);
      CHECK(row.weight.severity == link::severity_of(rule, false));
      CHECK(row.weight.strict == link::severity_of(rule, true));
      if (rule != link::Rule::overlap_of_kinds) CHECK(row.vuid == link::vuid_of(rule, direction));
    }
  }
}

TEST_CASE("limits come from a device report, what is not named keeps its minimum", "[check]") {
  const auto limits =
      check::parse_limits(R"({"limits": {"maxVertexOutputComponents": 128, "maxSamplerAnisotropy": 16.0}})", "l.json");
  REQUIRE(limits);
  CHECK(limits->max_vertex_output_components == 128);
  CHECK(limits->max_fragment_input_components == 64);
  const auto lists = check::parse_limits(
      R"({"maxMeshWorkGroupSize": [16, 8, 4], "transformFeedbackStreamsLinesTriangles": true})", "l.json");
  REQUIRE(lists);
  CHECK(lists->max_mesh_work_group_size_y == 8);
  CHECK(lists->max_mesh_work_group_size_z == 4);
  CHECK(lists->transform_feedback_streams_lines_triangles == 1);
  for (const char* text : {"", "[]", "{", R"({"maxVertexOutputComponents": "128"})",
                           R"({"maxVertexOutputComponents": -1})", R"({"maxTaskWorkGroupSize": [16]})"}) {
    const auto failed = check::parse_limits(text, "l.json");
    REQUIRE_FALSE(failed);
    CHECK(failed.error().kind == ErrorKind::usage);
  }
}

}  // namespace varylink::test
