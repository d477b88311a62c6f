#include "link/model/pipeline_description.h"

#include "link/model/assumptions.h"
#include "support/catch.h"

namespace varylink::link {
namespace {

TEST_CASE("a description says what stages, layout and state are", "[description]") {
  const auto read = parse_description(
      R"({"stages": {"vert": "a.vert",
                     "frag": {"file": "b.frag", "entry": "fs", "specialization": {"0": 4, "3": true, "7": 0.5},
                              "defines": {"N": 2, "T": "x"}, "includes": ["inc"]}},
          "layout": {"bindings": [{"set": 0, "binding": 1, "stages": ["frag"]}]},
          "state": {"rasterizationSamples": 1}, "noFragment": false})",
      "p.json");
  REQUIRE(read);
  CHECK(read->stages.at(Stage::vertex).file == "a.vert");
  const StageDescription& fragment = read->stages.at(Stage::fragment);
  CHECK(fragment.entry_point == "fs");
  CHECK(fragment.specialization == spirv::SpecializationValues{{0, "4"}, {3, "true"}, {7, "0.5"}});
  CHECK(fragment.defines == std::vector<std::pair<std::string, std::string>>{{"N", "2"}, {"T", "x"}});
  CHECK(fragment.include_dirs == std::vector<std::string>{"inc"});
  CHECK(read->layout->reaches(Stage::fragment, 0, 1));
  CHECK(read->state.samples == 1);
}

TEST_CASE("a description may be a state alone, and the layout the name of a file", "[description]") {
  CHECK(parse_description(R"({"topology": "POINT_LIST"})", "p")->state.topology == state::Topology::points);
  CHECK(parse_description(R"({"layout": "l.json"})", "p")->layout_file == "l.json");
}

TEST_CASE("ids of constants are written in one way, and paths have no NUL", "[description]") {
  for (const char* bad : {R"({"stages": {"frag": {"specialization": {"0": 2, "00": 4}}}})",
                          R"({"stages": {"frag": {"file": "a\u0000b"}}})", R"({"stages": {"frag": "a\u0000b"}})",
                          R"({"layout": "a\u0000b"})", R"({"stages": {"frag": {"includes": ["a\u0000b"]}}})"}) {
    INFO(bad);
    const auto read = parse_description(bad, "p.json");
    CHECK(!read);
    if (!read) CHECK(read.error().kind == ErrorKind::usage);
  }
}

TEST_CASE("equal assumptions have equal hashes", "[description]") {
  Assumptions a, b;
  CHECK(a.empty());
  CHECK(to_json(a) == "{}");
  a.state.samples = b.state.samples = 1;
  CHECK(hash_of(a) == hash_of(b));
  b.specialization[Stage::fragment][3] = "true";
  CHECK(hash_of(a) != hash_of(b));
  CHECK(to_json(b) == R"({"specialization":{"frag":{"3":"true"}},"state":{"rasterizationSamples":1}})");
}

TEST_CASE("layouts have in common what both give", "[layout]") {
  PipelineLayout a, b;
  a.bindings = {{0, 1, {Stage::vertex, Stage::fragment}}, {0, 2, {Stage::vertex}}};
  b.bindings = {{0, 1, {Stage::fragment}}};
  a.push_constants = {{0, 32, {Stage::vertex, Stage::fragment}}};
  b.push_constants = {{16, 32, {Stage::vertex, Stage::fragment}}};
  CHECK(text(common(a, b)) == "0.1 frag; push 16+16 vert frag");
}

}  // namespace
}  // namespace varylink::link
