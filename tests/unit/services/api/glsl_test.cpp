// GLSL through the C interface: with a compiler, and without one.
#include <algorithm>
#include <string>

#include "c_api.h"

using namespace api_test;

namespace {

constexpr const char* kVertex = R"(#version 450
#extension GL_GOOGLE_include_directive : require
#include "shared/scale.glsl"
layout(location = 0) in vec4 position;
out vec4 color;
out vec4 spare;
void main() { color = position * SCALE * WIDTH; spare = position; gl_Position = position; }
)";
constexpr const char* kFragment = R"(#version 450
in vec4 color;
layout(location = 0) out vec4 target;
void main() { target = vec4(color.x); }
)";

varylink_status add_glsl(const Handle<varylink_pipeline>& pipeline, const char* source, const char* name,
                         varylink_stage stage = VARYLINK_STAGE_UNKNOWN) {
  auto info = sized<varylink_glsl_stage>();
  info.source = source;
  info.name = name;
  info.stage = stage;
  return varylink_pipeline_add_glsl(pipeline.get(), &info);
}

const char* include_scale(void* user, const char* path, std::size_t* length) {
  static_cast<std::vector<std::string>*>(user)->push_back(path);
  if (std::string(path) != "lit/shared/scale.glsl") return nullptr;
  constexpr std::string_view kText = "#define SCALE 2.0\nnot part of the text";
  *length = kText.find("not");
  return kText.data();
}

}  // namespace

TEST_CASE("GLSL without a compiler is refused at once", "[api]") {
  if (varylink_has_glsl() != 0) return;
  const auto context = new_context();
  const auto pipeline = new_pipeline(context);
  CHECK(add_glsl(pipeline, kVertex, "a.vert") == VARYLINK_ERROR_NOT_SUPPORTED);
  CHECK(contains(varylink_context_error(context.get()), "GLSL"));
}

TEST_CASE("GLSL is compiled with macros and includes, and matched by name", "[api]") {
  if (varylink_has_glsl() == 0) return;
  const auto context = new_context();
  std::vector<std::string> asked;
  const varylink_define defines[] = {{"WIDTH", "3.0"}, {"UNUSED", nullptr}};
  auto info = sized<varylink_pipeline_info>();
  info.defines = defines;
  info.define_count = 2;
  info.include = include_scale;
  info.include_user = &asked;
  const auto pipeline = new_pipeline(context, &info);
  REQUIRE(add_glsl(pipeline, kVertex, "lit/a.vert") == VARYLINK_SUCCESS);
  REQUIRE(add_glsl(pipeline, kFragment, nullptr, VARYLINK_STAGE_FRAGMENT) == VARYLINK_SUCCESS);
  const Linked linked = link(pipeline);
  if (linked.status != VARYLINK_SUCCESS) UNSCOPED_INFO(diagnostic_of(linked, 0).message);
  REQUIRE(linked.status == VARYLINK_SUCCESS);
  CHECK(asked == std::vector<std::string>{"lit/shared/scale.glsl"});
  auto interface = sized<varylink_interface>();
  REQUIRE(varylink_result_get_interface(linked.result.get(), 0, &interface) == VARYLINK_SUCCESS);
  CHECK(interface.before.components == 8);
  CHECK(interface.after.components == 1);
}

TEST_CASE("the report lists what the linked code does not use any more", "[api]") {
  if (varylink_has_glsl() == 0) return;
  const auto context = new_context();
  const auto pipeline = new_pipeline(context);
  const char* vertex =
      "#version 450\nlayout(location = 0) in vec4 position;\nlayout(location = 1) in vec4 tangent;\n"
      "layout(location = 0) out vec4 color;\nlayout(location = 1) out vec4 dead;\n"
      "layout(set = 2, binding = 7) uniform Wind { vec4 force; } wind;\n"
      "void main() { gl_Position = position; color = position * position; dead = tangent + wind.force; }\n";
  REQUIRE(add_glsl(pipeline, vertex, "a.vert") == VARYLINK_SUCCESS);
  REQUIRE(add_glsl(pipeline, kFragment, "b.frag") == VARYLINK_SUCCESS);
  const Linked linked = link(pipeline);
  REQUIRE(linked.status == VARYLINK_SUCCESS);
  const std::string report = varylink_result_report(linked.result.get());
  const std::string unused = report.substr(std::min(report.find("\"unused\""), report.size()));
  CHECK(contains(unused, "\"location\": 1"));
  CHECK_FALSE(contains(unused, "\"name\": \"position\""));
  CHECK(contains(unused, "\"binding\": 7"));
  CHECK(contains(unused, "\"was_used\": true"));
}

TEST_CASE("a description gives stages constants and macros, and the report says what is assumed", "[api]") {
  if (varylink_has_glsl() == 0) return;
  const auto context = new_context();
  auto info = sized<varylink_pipeline_info>();
  info.state = R"({"stages": {"frag": {"specialization": {"3": 1}, "defines": {"SECOND": "b"}}},
                   "state": {"rasterizationSamples": 1}})";
  const auto pipeline = new_pipeline(context, &info);
  REQUIRE(add_glsl(pipeline,
                   "#version 450\nlayout(location = 0) in vec4 p;\nlayout(location = 0) out float a;\n"
                   "layout(location = 1) centroid out float b;\n"
                   "void main() { a = p.x; b = p.y; gl_Position = p; }\n",
                   "a.vert") == VARYLINK_SUCCESS);
  REQUIRE(add_glsl(pipeline,
                   "#version 450\nlayout(constant_id = 3) const int k = 0;\nlayout(location = 0) in float a;\n"
                   "layout(location = 1) centroid in float b;\nlayout(location = 0) out vec4 o;\n"
                   "void main() { o = vec4(k == 0 ? a : SECOND); }\n",
                   "b.frag") == VARYLINK_SUCCESS);
  const Linked linked = link(pipeline);
  REQUIRE(linked.status == VARYLINK_SUCCESS);
  auto interface = sized<varylink_interface>();
  REQUIRE(varylink_result_get_interface(linked.result.get(), 0, &interface) == VARYLINK_SUCCESS);
  CHECK(interface.after.components == 1);
  const std::string report = varylink_result_report(linked.result.get());
  CHECK(report.find("\"assumes\"") != std::string::npos);
  CHECK(report.find("\"rasterizationSamples\": 1") != std::string::npos);
  CHECK(report.find("\"3\": \"1\"") != std::string::npos);
}

TEST_CASE("a description that names files is for the command", "[api]") {
  const auto context = new_context();
  const char* const texts[] = {R"({"layout": "l.json"})", R"({"stages": {"vert": "a.vert"}})",
                               R"({"stages": {"frag": {"includes": ["x"]}}})", R"({"state": {"topologie": 1}})"};
  for (const char* text : texts) {
    auto info = sized<varylink_pipeline_info>();
    info.state = text;
    varylink_pipeline* pipeline = nullptr;
    CHECK(varylink_pipeline_create(context.get(), &info, &pipeline) == VARYLINK_ERROR_INVALID_ARGUMENT);
    CHECK(pipeline == nullptr);
  }
}

TEST_CASE("stages share specialization constants if the program says so", "[api]") {
  if (varylink_has_glsl() == 0) return;
  const auto context = new_context();
  const auto [flags, state, left] = GENERATE(table<std::uint32_t, const char*, std::uint32_t>({
      {0u, nullptr, 1u},
      {std::uint32_t{VARYLINK_PIPELINE_SHARED_SPEC_CONSTANTS}, nullptr, 0u},
      {0u, R"({"sharedSpecConstants": true})", 0u},
  }));
  auto info = sized<varylink_pipeline_info>();
  info.flags = flags;
  info.state = state;
  const auto pipeline = new_pipeline(context, &info);
  REQUIRE(add_glsl(pipeline,
                   "#version 450\nlayout(constant_id = 3) const float k = 0.5;\nlayout(location = 0) out float a;\n"
                   "void main() { a = k; gl_Position = vec4(0.0); }\n",
                   "a.vert") == VARYLINK_SUCCESS);
  REQUIRE(add_glsl(pipeline,
                   "#version 450\nlayout(location = 0) in float a;\nlayout(location = 0) out vec4 o;\n"
                   "void main() { o = vec4(a); }\n",
                   "b.frag") == VARYLINK_SUCCESS);
  const Linked linked = link(pipeline);
  REQUIRE(linked.status == VARYLINK_SUCCESS);
  auto interface = sized<varylink_interface>();
  REQUIRE(varylink_result_get_interface(linked.result.get(), 0, &interface) == VARYLINK_SUCCESS);
  CHECK(interface.after.components == left);
}

TEST_CASE("the library reads no file, not even one that is there", "[api]") {
  if (varylink_has_glsl() == 0) return;
  const auto context = new_context();
  const auto pipeline = new_pipeline(context);
  const std::string there = std::string(VARYLINK_SOURCE_DIR) + "/samples/shaders/camera.glsl";
  const std::string source = "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"" + there +
                             "\"\nvoid main() { gl_Position = vec4(0.0); }\n";
  REQUIRE(add_glsl(pipeline, source.c_str(), "a.vert") == VARYLINK_SUCCESS);
  const Linked linked = link(pipeline);
  CHECK(linked.status == VARYLINK_ERROR_GLSL);
  CHECK(contains(diagnostic_of(linked, 0).message, "camera.glsl"));
}

TEST_CASE("GLSL that does not compile has a line and a stage", "[api]") {
  if (varylink_has_glsl() == 0) return;
  const auto context = new_context();
  const auto pipeline = new_pipeline(context);
  REQUIRE(add_glsl(pipeline, "#version 450\nvoid main() { x = 1; }\n", "a.vert") == VARYLINK_SUCCESS);
  const Linked linked = link(pipeline);
  CHECK(linked.status == VARYLINK_ERROR_GLSL);
  const varylink_diagnostic found = diagnostic_of(linked, 0);
  CHECK(found.line == 2);
  CHECK(found.stage == VARYLINK_STAGE_VERTEX);
  CHECK(found.file == std::string("a.vert"));
}

TEST_CASE("what cannot be proved is reported, refused, or linked at a lower level", "[api]") {
  if (varylink_has_glsl() == 0) return;
  const auto context = new_context();
  const auto pipeline = new_pipeline(context);
  REQUIRE(add_glsl(pipeline,
                   "#version 450\nlayout(location = 0) in vec4 p; layout(location = 0) out vec4 a;"
                   "void main() { gl_Position = p; a = vec4(p.xyz, 0.5); }",
                   "a.vert") == VARYLINK_SUCCESS);
  REQUIRE(add_glsl(pipeline,
                   "#version 450\nlayout(location = 0) in vec4 a; layout(location = 0) out vec4 color;"
                   "layout(set = 0, binding = 0) volatile buffer B { float f; } b;"
                   "void main() { color = a * b.f; }",
                   "b.frag") == VARYLINK_SUCCESS);
  auto options = sized<varylink_link_options>();
  auto proof = sized<varylink_proof>();

  options.prove = VARYLINK_PROVE_REPORT;
  const Linked reported = link(pipeline, &options);
  CHECK(reported.status == VARYLINK_SUCCESS);
  REQUIRE(varylink_result_get_proof(reported.result.get(), &proof) == VARYLINK_SUCCESS);
  CHECK(proof.verdict == VARYLINK_VERDICT_NOT_PROVED);
  CHECK(proof.reason == std::string("a volatile read"));
  CHECK(contains(varylink_result_report(reported.result.get()), "\"verdict\": \"not proved\""));

  options.prove = VARYLINK_PROVE_REQUIRE;
  const Linked refused = link(pipeline, &options);
  CHECK(refused.status == VARYLINK_ERROR_VERIFICATION_FAILED);
  CHECK(varylink_result_stage_count(refused.result.get()) == 0);
  REQUIRE(varylink_result_diagnostic_count(refused.result.get()) == 1);
  CHECK(contains(diagnostic_of(refused, 0).message, "not proved: a volatile read"));

  options.prove = VARYLINK_PROVE_FALLBACK;
  const Linked lower = link(pipeline, &options);
  CHECK(lower.status == VARYLINK_SUCCESS);
  REQUIRE(varylink_result_get_proof(lower.result.get(), &proof) == VARYLINK_SUCCESS);
  CHECK(proof.verdict == VARYLINK_VERDICT_PROVED);
  CHECK(proof.level == VARYLINK_LEVEL_CHECK);
}

TEST_CASE("a proof is there only when it was asked for", "[api]") {
  if (varylink_has_glsl() == 0) return;
  const auto context = new_context();
  const auto pipeline = new_pipeline(context);
  REQUIRE(add_glsl(pipeline,
                   "#version 450\nlayout(location = 0) in vec4 p; layout(location = 0) out vec4 a;"
                   "void main() { gl_Position = p; a = p; }",
                   "a.vert") == VARYLINK_SUCCESS);
  REQUIRE(add_glsl(pipeline,
                   "#version 450\nlayout(location = 0) in vec4 a; layout(location = 0) out vec4 color;"
                   "void main() { color = a; }",
                   "b.frag") == VARYLINK_SUCCESS);
  auto options = sized<varylink_link_options>();
  const Linked silent = link(pipeline, &options);
  CHECK(varylink_result_has_proof(silent.result.get()) == 0);
  auto proof = sized<varylink_proof>();
  CHECK(varylink_result_get_proof(silent.result.get(), &proof) == VARYLINK_ERROR_INVALID_ARGUMENT);
  options.prove = VARYLINK_PROVE_REPORT;
  const Linked proved = link(pipeline, &options);
  REQUIRE(varylink_result_get_proof(proved.result.get(), &proof) == VARYLINK_SUCCESS);
  CHECK(proof.verdict == VARYLINK_VERDICT_PROVED);
  CHECK(proof.level == VARYLINK_LEVEL_FULL);
  CHECK(proof.finding_count == 0);
  auto finding = sized<varylink_finding>();
  CHECK(varylink_result_get_finding(proved.result.get(), 0, &finding) == VARYLINK_ERROR_INVALID_ARGUMENT);
}
