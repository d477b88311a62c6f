#include "report/run_diff.h"

#include "report/json_report.h"
#include "support/catch.h"

namespace varylink::report {
namespace {

ReportEntry pipeline(const std::string& name, std::uint32_t components, std::uint32_t instructions) {
  ReportEntry record;
  record.name = name;
  record.interfaces.emplace_back();
  record.interfaces.back().after.components = components;
  record.interfaces.back().after.locations = (components + 3) / 4;
  StageRecord stage;
  stage.stage = Stage::fragment;
  stage.cost_before = stage.cost_after = analysis::StageCost{instructions, instructions, 7, 3};
  record.stages = {stage};
  return record;
}

ReportEntry failed(const std::string& name) {
  ReportEntry record;
  record.name = name;
  record.failure = ErrorKind::glsl;
  return record;
}

std::string text(const std::vector<ReportEntry>& pipelines, const std::string& profile = "generic") {
  RunRecord run;
  run.version = "1";
  run.options = {{"--profile", profile}};
  return json_report(run, pipelines);
}

TEST_CASE("pipelines are compared by name, measure by measure", "[report]") {
  const std::string before = text({pipeline("same", 4, 9), pipeline("better", 8, 9), pipeline("mixed", 5, 20)});
  const std::string after = text({pipeline("mixed", 4, 30), pipeline("same", 4, 9), pipeline("better", 2, 9)});
  const auto diff = diff_runs(before, "a.json", after, "b.json");
  REQUIRE(diff);
  CHECK(render(*diff, TextStyle::plain, 0) ==
        "a.json → b.json: 3 pipelines linked in both, 2 changed\n"
        "                        helped    hurt    same     before      after     change\n"
        "  components                 2       0       1         17         10    -41.2 %\n"
        "  locations                  2       0       1          5          3    -40.0 %\n"
        "  frag instructions          0       1       2         38         48    +26.3 %\n"
        "  frag critical path         0       0       3         21         21      0.0 %\n"
        "  frag live scalars          0       0       3          9          9      0.0 %\n"
        "hurt:\n"
        "  mixed: components 5 → 4, locations 2 → 1, frag instructions 20 → 30\n"
        "helped:\n"
        "  better: components 8 → 2, locations 2 → 1\n");
}

TEST_CASE("what is in one run only, and what began or ceased to fail, is listed", "[report]") {
  const auto diff = diff_runs(text({pipeline("old", 1, 1), failed("up"), pipeline("down", 1, 1)}), "a.json",
                              text({pipeline("new", 1, 1), pipeline("up", 1, 1), failed("down")}), "b.json");
  REQUIRE(diff);
  CHECK(render(*diff, TextStyle::plain, 0) ==
        "a.json → b.json: 0 pipelines linked in both, 0 changed\n"
        "failing now:\n  down\nlinked now:\n  up\nonly in a.json:\n  old\nonly in b.json:\n  new\n");
}

TEST_CASE("costs on different GPUs are not compared", "[report]") {
  const auto diff =
      diff_runs(text({pipeline("p", 4, 9)}, "tiler"), "a.json", text({pipeline("p", 4, 5)}, "generic"), "b.json");
  REQUIRE(diff);
  CHECK(diff->measures.size() == 2);
  CHECK(diff->pipelines.empty());
  CHECK(render(*diff, TextStyle::plain, 0).find("not compared: the runs used profile 'tiler' and 'generic'") !=
        std::string::npos);
}

TEST_CASE("Markdown is escaped, and lists end where asked", "[report]") {
  const auto diff = diff_runs(text({pipeline("a_b", 4, 9), pipeline("c|d", 4, 9), pipeline("e", 4, 9)}), "a.json",
                              text({pipeline("a_b", 3, 9), pipeline("c|d", 2, 9), pipeline("e", 1, 9)}), "b.json");
  REQUIRE(diff);
  CHECK(render(*diff, TextStyle::markdown, 2) ==
        "a.json → b.json: 3 pipelines linked in both, 3 changed\n\n"
        "| measure | helped | hurt | same | before | after | change |\n|---|--:|--:|--:|--:|--:|--:|\n"
        "| components | 3 | 0 | 0 | 12 | 6 | -50.0 % |\n"
        "| locations | 0 | 0 | 3 | 3 | 3 | 0.0 % |\n"
        "| frag instructions | 0 | 0 | 3 | 27 | 27 | 0.0 % |\n"
        "| frag critical path | 0 | 0 | 3 | 21 | 21 | 0.0 % |\n"
        "| frag live scalars | 0 | 0 | 3 | 9 | 9 | 0.0 % |\n\n"
        "helped:\n\n- e: components 4 → 1\n- c\\|d: components 4 → 2\n- and 1 more\n\n");
}

TEST_CASE("a file that is no report is refused", "[report]") {
  const std::string good = text({});
  for (const char* bad : {"", "[]", "{}", "{\"schema\": 1}", R"({"schema": 1, "options": {}, "pipelines": [{}]})",
                          R"({"schema": 1, "options": {}, "pipelines": 3})", R"({"schema": "x"})"}) {
    INFO(bad);
    const auto diff = diff_runs(good, "a.json", bad, "b.json");
    REQUIRE_FALSE(diff);
    CHECK(diff.error().file == "b.json");
    CHECK(diff.error().message == "is not a report of varylink link");
  }
  const auto newer = diff_runs(R"({"schema": 2})", "a.json", good, "b.json");
  REQUIRE_FALSE(newer);
  CHECK(newer.error().message == "has report schema 2, this varylink reads 1");
}

}  // namespace
}  // namespace varylink::report
