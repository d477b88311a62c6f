#include "state/pipeline_state.h"

#include "state/vulkan_format.h"
#include "support/catch.h"

using namespace varylink;
using state::PipelineState;
using state::Topology;

TEST_CASE("pipeline state: what is written is read back", "[pipeline_state]") {
  PipelineState state;
  state.topology = Topology::lines;
  state.instance_rate_attributes = {3, 4};
  state.no_fragment = true;
  state.shared_spec_constants = true;
  state.samples = 4;
  state.attribute_formats = {{0, "R8_UNORM"}};
  state.attachments = {{{true, "R8_UNORM", 5}, {false, {}, 0}}};
  state.view_mask = 3;
  state.patch_control_points = 2;
  state.provoking_vertex = state::ProvokingVertex::last;
  state.depth_format = "D16_UNORM";
  state.dynamic_states = {"LINE_WIDTH"};
  const std::string json = to_json(state);
  CHECK(json ==
        R"({"topology":"lines","vertexInput":{"attributes":[{"location":0,"format":"R8_UNORM"}]},)"
        R"("instanceRateAttributes":[3,4],"patchControlPoints":2,"rasterizationSamples":4,"viewMask":3,)"
        R"("provokingVertexMode":"LAST_VERTEX_EXT","attachments":[{"format":"R8_UNORM","writeMask":"RB"},null],)"
        R"("depthAttachmentFormat":"D16_UNORM","noFragment":true,"sharedSpecConstants":true,)"
        R"("dynamicStates":["LINE_WIDTH"]})");
  const Result<PipelineState> read = state::parse_pipeline_state(json, "state.json");
  REQUIRE(read);
  CHECK(*read == state);
  CHECK(to_json(PipelineState{}) == "{}");
}

TEST_CASE("pipeline state: what makes no sense is an error that names the file", "[pipeline_state]") {
  const char* text =
      GENERATE("", "[]", R"({"topology": "dots"})", R"({"topology": 3})", R"({"instanceRateAttributes": 3})",
               R"({"instanceRateAttributes": [-1]})", R"({"instanceRateAttributes": [4294967296]})",
               R"({"noFragment": 1})", R"({"sharedSpecConstants": 1})", R"({"state": {}})");
  const Result<PipelineState> read = state::parse_pipeline_state(text, "state.json");
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

TEST_CASE("pipeline state: what pipelines with other attachments have in common takes what either takes",
          "[pipeline_state]") {
  PipelineState a, b;
  a.attachments = {{{true, "R8_UNORM", 1}}};
  b.attachments = {{{true, "R8_UINT", 2}, {false, {}, 0}, {true, {}, 0xf}}};
  const PipelineState both = common(a, b);
  REQUIRE(both.attachments->size() == 3);
  CHECK((*both.attachments)[0].write_mask == 3);
  CHECK((*both.attachments)[0].format.empty());
  CHECK((*both.attachments)[1].takes_nothing());
  CHECK_FALSE((*both.attachments)[2].takes_nothing());
  b.attachments.reset();
  CHECK_FALSE(common(a, b).attachments);
}

TEST_CASE("pipeline state: bindings say which attributes advance per instance", "[pipeline_state]") {
  const auto state = state::parse_pipeline_state(
      R"({"vertexInput": {"bindings": [{"binding": 0, "stride": 16}, {"binding": 7, "inputRate": "INSTANCE"}],
          "attributes": [{"location": 0, "binding": 0, "format": "R8G8_UNORM", "offset": 4},
                         {"location": 1, "binding": 7, "format": "R32_SFLOAT"}]}})",
      "state.json");
  REQUIRE(state);
  CHECK(state->instance_rate_attributes == std::set<std::uint32_t>{1});
  CHECK(state->attribute_formats.at(0) == "R8G8_UNORM");
}

TEST_CASE("pipeline state: what is dynamic is not known, wherever it was said", "[pipeline_state]") {
  PipelineState fixed, dynamic;
  fixed.samples = 1;
  fixed.topology = Topology::points;
  fixed.attribute_formats = {{0, "R8_UNORM"}};
  fixed.attachments = {{{true, {}, 0}}};
  fixed.polygon_mode = state::PolygonMode::fill;
  fixed.patch_control_points = 3;
  fixed.alpha_to_coverage = false;
  fixed.rasterizer_discard = true;
  dynamic.dynamic_states = {"RASTERIZATION_SAMPLES_EXT",    "PRIMITIVE_TOPOLOGY",       "VERTEX_INPUT_EXT",
                            "COLOR_WRITE_MASK_EXT",         "POLYGON_MODE_EXT",         "PATCH_CONTROL_POINTS_EXT",
                            "ALPHA_TO_COVERAGE_ENABLE_EXT", "RASTERIZER_DISCARD_ENABLE"};
  const PipelineState both = combined(fixed, dynamic);
  CHECK_FALSE(both.samples);
  CHECK(both.topology == Topology::unknown);
  CHECK(both.attribute_formats.empty());
  CHECK_FALSE(both.attachments->front().takes_nothing());
  CHECK(both.polygon_mode == state::PolygonMode::unknown);
  CHECK_FALSE((both.patch_control_points || both.alpha_to_coverage || both.rasterizer_discard));
}

TEST_CASE("pipeline state: one sample has an unknown place where fragments may be coarse, or samples may move",
          "[pipeline_state]") {
  for (const auto& [name, is_known] :
       {std::pair("LINE_WIDTH", true), std::pair("FRAGMENT_SHADING_RATE_KHR", false),
        std::pair("SAMPLE_LOCATIONS_EXT", false), std::pair("VIEWPORT_SHADING_RATE_PALETTE_NV", false)}) {
    PipelineState state;
    state.samples = 1;
    state.dynamic_states = {name};
    state::forget_dynamic(state);
    INFO(name);
    CHECK(state.samples.has_value() == is_known);
  }
}

TEST_CASE("formats: components and kind by name", "[pipeline_state]") {
  CHECK(state::find_format("R8G8B8_UNORM")->bits == std::array<std::uint8_t, 4>{8, 8, 8, 0});
  CHECK(state::find_format("A2B10G10R10_UINT_PACK32")->bits == std::array<std::uint8_t, 4>{10, 10, 10, 2});
  CHECK(state::find_format("E5B9G9R9_UFLOAT_PACK32")->bits == std::array<std::uint8_t, 4>{9, 9, 9, 0});
  CHECK(state::find_format("B8G8R8A8_SRGB")->is_float());
  CHECK(state::find_format("R32_SINT")->is_signed_integer());
  CHECK(state::find_format("R10X6G10X6B10X6A10X6_UNORM_4PACK16")->bits == std::array<std::uint8_t, 4>{10, 10, 10, 10});
  CHECK(state::find_format("R12X4_UNORM_PACK16")->bits == std::array<std::uint8_t, 4>{12, 0, 0, 0});
  CHECK(state::find_format("A8_UNORM")->bits == std::array<std::uint8_t, 4>{0, 0, 0, 8});
  CHECK(state::find_format("R64G64_SINT")->has_64_bits());
  for (const char* name :
       {"R3G5_UNORM", "UNDEFINED", "R8G8B8A8_UNORM_PACK16", "S8_UINT", "", "R8", "R8_", "_UNORM", "R8R8_UNORM",
        "R0_UNORM", "D16_UNORM", "BC1_RGB_UNORM_BLOCK", "R8_UNORM_PACK", "VK_FORMAT_R8_UNORM"})
    CHECK_FALSE(state::find_format(name));
}
