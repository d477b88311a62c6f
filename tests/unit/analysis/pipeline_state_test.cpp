#include "analysis/pipeline_state.h"

#include "support/catch.h"

using namespace varylink;
using analysis::PipelineState;
using analysis::Topology;

TEST_CASE("pipeline state: what is written is read back", "[pipeline_state]") {
  PipelineState state;
  state.topology = Topology::lines;
  state.instance_rate_attributes = {3, 4};
  state.no_fragment = true;
  state.shared_spec_constants = true;
  const std::string json = to_json(state);
  CHECK(json == R"({"topology":"lines","instanceRateAttributes":[3,4],"noFragment":true,"sharedSpecConstants":true})");
  const Result<PipelineState> read = analysis::parse_pipeline_state(json, "state.json");
  REQUIRE(read);
  CHECK(*read == state);
  CHECK(to_json(PipelineState{}) == "{}");
}

TEST_CASE("pipeline state: what makes no sense is an error that names the file", "[pipeline_state]") {
  const char* text =
      GENERATE("", "[]", R"({"topology": "dots"})", R"({"topology": 3})", R"({"instanceRateAttributes": 3})",
               R"({"instanceRateAttributes": [-1]})", R"({"instanceRateAttributes": [4294967296]})",
               R"({"noFragment": 1})", R"({"sharedSpecConstants": 1})", R"({"state": {}})");
  const Result<PipelineState> read = analysis::parse_pipeline_state(text, "state.json");
  REQUIRE_FALSE(read);
  CHECK(read.error().file == "state.json");
  CHECK(read.error().kind == ErrorKind::usage);
}

TEST_CASE("pipeline state: common keeps what both say, combined what either says", "[pipeline_state]") {
  PipelineState a, b;
  a.topology = Topology::points;
  a.instance_rate_attributes = {1, 2};
  a.no_fragment = true;
  b.shared_spec_constants = true;
  b.instance_rate_attributes = {2, 3};
  CHECK(common(a, b).topology == Topology::unknown);
  CHECK(common(a, b).instance_rate_attributes == std::set<std::uint32_t>{2});
  CHECK_FALSE(common(a, b).no_fragment);
  CHECK_FALSE(common(a, b).shared_spec_constants);
  CHECK(common(b, b).shared_spec_constants);
  CHECK(combined(a, b).shared_spec_constants);
  CHECK(combined(a, b).topology == Topology::points);
  CHECK(combined(a, b).instance_rate_attributes == std::set<std::uint32_t>{1, 2, 3});
  CHECK(combined(b, a).no_fragment);
  b.topology = Topology::triangles;
  CHECK(combined(a, b).topology == Topology::triangles);
  CHECK(common(b, b) == b);
}
