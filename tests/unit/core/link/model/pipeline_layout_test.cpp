#include "link/model/pipeline_layout.h"

#include "support/catch.h"

namespace varylink::link {
namespace {

TEST_CASE("a layout file says which stages read what", "[layout]") {
  const Result<PipelineLayout> layout = parse_layout(R"({
    "bindings": [{"set": 0, "binding": 1, "stages": ["vert", "frag"]}, {"set": 2, "binding": 0, "stages": ["frag"]}],
    "pushConstants": [{"offset": 16, "size": 8, "stages": ["vert", "frag"]},
                      {"offset": 0, "size": 16, "stages": ["vert"]}, {"offset": 0, "size": 16, "stages": ["frag"]}]})",
                                                     "layout.json");
  REQUIRE(layout);
  CHECK(layout->reaches(Stage::vertex, 0, 1));
  CHECK_FALSE(layout->reaches(Stage::geometry, 0, 1));
  CHECK_FALSE(layout->reaches(Stage::vertex, 2, 0));
  CHECK(layout->shares_push_constant(Stage::vertex, Stage::fragment, 20));
  CHECK_FALSE(layout->shares_push_constant(Stage::vertex, Stage::fragment, 21));
  CHECK_FALSE(layout->shares_push_constant(Stage::vertex, Stage::fragment, 12));
  CHECK(layout->shares_push_constant(Stage::vertex, Stage::fragment, 16, 8));
  CHECK_FALSE(layout->shares_push_constant(Stage::vertex, Stage::fragment, 16, 12));
  CHECK(text(*layout) == "0.1 vert frag; 2.0 frag; push 16+8 vert frag; push 0+16 vert; push 0+16 frag");
}

TEST_CASE("a layout file with anything else in it is refused", "[layout]") {
  for (const char* bad :
       {"", "[]", "{\"bindings\": 3}", "{\"binding\": []}", "{\"bindings\": [{\"set\": -1, \"binding\": 0}]}",
        "{\"bindings\": [{\"set\": 0}]}", "{\"bindings\": [{\"set\": 0, \"binding\": 0, \"stages\": [\"vertex\"]}]}",
        "{\"bindings\": [{\"set\": 0, \"binding\": 0, \"stageFlags\": 3}]}", "{\"pushConstants\": [4]}",
        R"({"bindings": [{"set": 0, "binding": 1, "stages": ["vert"]}, {"set": 0, "binding": 1, "stages": ["frag"]}]})",
        R"({"pushConstants": [{"offset": 4294967288, "size": 16, "stages": ["vert"]}]})"}) {
    INFO(bad);
    const Result<PipelineLayout> layout = parse_layout(bad, "layout.json");
    CHECK(!layout);
    if (!layout) CHECK(layout.error().kind == ErrorKind::usage);
  }
}

}  // namespace
}  // namespace varylink::link
