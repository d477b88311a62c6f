#include "frontend/source_kind.h"

#include "support/catch.h"

using namespace varylink;
using namespace varylink::frontend;
using namespace std::string_view_literals;

TEST_CASE("the first bytes tell SPIR-V whatever the suffix says", "[frontend]") {
  CHECK(source_kind("x.frag", "\x03\x02\x23\x07rest"sv) == SourceKind::spirv_binary);
  CHECK(source_kind("x.frag", "\x07\x23\x02\x03rest"sv) == SourceKind::spirv_binary);
  CHECK(source_kind("x.frag", "; SPIR-V\n") == SourceKind::spirv_assembly);
  CHECK(source_kind("x.frag", "\xef\xbb\xbf; SPIR-V\n") == SourceKind::spirv_assembly);
  CHECK(source_kind("-", "  \n OpCapability Shader\n") == SourceKind::spirv_assembly);
  CHECK(source_kind("-", "%1 = OpTypeVoid\n") == SourceKind::spirv_assembly);
  CHECK(source_kind("-", "%name_2\t= OpTypeVoid\n") == SourceKind::spirv_assembly);
}

TEST_CASE("the suffix tells what the bytes do not", "[frontend]") {
  CHECK(source_kind("x.spv", "") == SourceKind::spirv_binary);
  CHECK(source_kind("x.spv", "#version 450\n") == SourceKind::spirv_binary);
  CHECK(source_kind("x.spvasm", "") == SourceKind::spirv_assembly);
  CHECK(source_kind("x.vert", "") == SourceKind::glsl);
  CHECK(source_kind("x", "#version 450\n") == SourceKind::glsl);
  CHECK(source_kind("x", "Operation o;\n") == SourceKind::glsl);
  CHECK(source_kind("x", "%\n") == SourceKind::glsl);
}

TEST_CASE("the stage is the last suffix, or the one in front of the language", "[frontend]") {
  CHECK(stage_from_path("a/b.vert") == Stage::vertex);
  CHECK(stage_from_path("b.mesh.glsl") == Stage::mesh);
  CHECK(stage_from_path("b.tesc.spv") == Stage::tess_control);
  CHECK(stage_from_path("b.tese.spvasm") == Stage::tess_eval);
  CHECK_FALSE(stage_from_path("vert"));
  CHECK_FALSE(stage_from_path("x.vert/y"));
  CHECK_FALSE(stage_from_path("x.vert.txt"));
  CHECK_FALSE(stage_from_path("x.comp"));
}

TEST_CASE("a base name has neither folders nor language", "[frontend]") {
  CHECK(base_name("a/b/x.vert.spv") == "x.vert");
  CHECK(base_name("x.glsl") == "x");
  CHECK(base_name(".spv") == ".spv");
  CHECK(base_name("x.vert") == "x.vert");
}
