#include "report/explanation.h"

#include "support/catch.h"

namespace varylink::report {
namespace {

link::ComponentRecord component(std::uint32_t location, std::uint32_t index, link::Outcome outcome, const char* reason,
                                std::optional<varyings::Slot> new_slot = std::nullopt) {
  link::ComponentRecord record;
  record.old_slot = {location, index};
  record.new_slot = new_slot;
  record.outcome = outcome;
  record.reason = reason;
  record.type = "float";
  record.interpolation = "smooth";
  record.producer_name = "v.a";
  record.consumer_name = "v.a";
  return record;
}

ReportEntry pipeline_of(std::vector<link::ComponentRecord> components) {
  ReportEntry pipeline;
  pipeline.interfaces.emplace_back();
  pipeline.interfaces.back().components = std::move(components);
  return pipeline;
}

TEST_CASE("places are read as the report writes them", "[report]") {
  const auto whole = parse_query("12");
  REQUIRE(whole);
  CHECK(whole->location == 12);
  CHECK_FALSE(whole->component);
  const auto one = parse_query("4.w");
  REQUIRE(one);
  CHECK(one->location == 4);
  CHECK(one->component == 3u);
  for (const char* text : {"", ".", "x", "4.", "4.r", "4.xy", "4x", "-1", "4 .x", "9999999", "4.x "}) {
    INFO(text);
    const auto query = parse_query(text);
    REQUIRE_FALSE(query);
    CHECK(query.error().kind == ErrorKind::usage);
  }
}

TEST_CASE("a kept component says where it is and why", "[report]") {
  const ReportEntry pipeline =
      pipeline_of({component(4, 0, link::Outcome::kept, "the next stage reads it", varyings::Slot{0, 1})});
  CHECK(explain(pipeline, ComponentQuery{4, 0}) ==
        "vert→frag 4.x: float v.a, smooth\n"
        "  It still crosses, now at 0.y, because the next stage reads it. It is not a constant, and no other component "
        "that is interpolated alike carries the same value.\n");
  const ReportEntry whole =
      pipeline_of({component(4, 0, link::Outcome::kept, "its index is dynamic", varyings::Slot{4, 0})});
  CHECK(explain(whole, ComponentQuery{4, 0}) ==
        "vert→frag 4.x: float v.a, smooth\n  It still crosses, at the same place, because its index is dynamic.\n");
}

TEST_CASE("every other outcome says who has the value instead", "[report]") {
  const auto ends_with = [](link::Outcome outcome, const std::string& end) {
    const ReportEntry pipeline = pipeline_of({component(1, 1, outcome, "why", varyings::Slot{2, 3})});
    const std::string text = explain(pipeline, std::nullopt);
    INFO(text);
    CHECK(text.ends_with("  It is gone, because why. " + end + "\n"));
  };
  ends_with(link::Outcome::dead, "The vert stage lost the code that only computed it.");
  ends_with(link::Outcome::constant, "The frag stage has the constant itself.");
  ends_with(link::Outcome::uniform, "The frag stage evaluates the expression itself.");
  ends_with(link::Outcome::duplicate, "The frag stage reads what is now 2.w instead.");
  ends_with(link::Outcome::moved, "Other values cross instead.");
}

TEST_CASE("a uniform component is a part of what crosses if its producer alone computes it", "[report]") {
  ReportEntry pipeline = pipeline_of({component(0, 1, link::Outcome::uniform, "why")});
  ValueFlow flow{Stage::vertex, Stage::fragment, {}, {}, {}};
  flow.nodes.resize(2);
  flow.nodes[0].after = {true, false};
  flow.nodes[1] = {ValueFlow::Kind::operation, "+", {0}, {}, {true, false}, {}};
  flow.before = {{{0, 1}, "v.y", 0, link::Outcome::uniform}};
  flow.after = {{{0, 0}, "u.a + p.x", 1, link::Outcome::moved}};
  pipeline.flows = {flow};
  CHECK(explain(pipeline, std::nullopt).find("a uniform part of values that the vert stage computes. ") !=
        std::string::npos);
  pipeline.flows[0].nodes[0].after.consumer = true;
  CHECK(explain(pipeline, std::nullopt).ends_with("The frag stage evaluates the expression itself.\n"));
}

TEST_CASE("a query takes what it names, and remarks about its location", "[report]") {
  ReportEntry pipeline =
      pipeline_of({component(1, 0, link::Outcome::dead, "a"), component(1, 2, link::Outcome::dead, "b"),
                   component(12, 0, link::Outcome::dead, "c")});
  pipeline.remarks = {{"link", "vert", "output 'q' at location 1 is odd"},
                      {"link", "vert", "location 12 is even"},
                      {"link", "frag", std::string(link::kNeedsState) + "{}"}};
  const std::string text = explain(pipeline, ComponentQuery{1, std::nullopt});
  CHECK(text.find("1.x") != std::string::npos);
  CHECK(text.find("1.z") != std::string::npos);
  CHECK(text.find("12.x") == std::string::npos);
  CHECK(text.find("  link in vert: output 'q' at location 1 is odd\n") != std::string::npos);
  CHECK(text.find("even") == std::string::npos);
  CHECK(text.ends_with("link in frag: the result needs a pipeline with this state: {}\n"));
  CHECK(explain(pipeline, ComponentQuery{1, 1}).empty());
  CHECK(declared_components(pipeline) == "vert→frag declares 1.xz 12.x\n");
  CHECK(declared_components(pipeline_of({})) == "vert→frag declares nothing\n");
}

}  // namespace
}  // namespace varylink::report
