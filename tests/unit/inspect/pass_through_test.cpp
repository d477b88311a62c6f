#include "inspect/pass_through.h"

#include "driver/link_pipeline.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::inspect {
namespace {

link::StageInput stage_of(Stage stage, const std::string& glsl) {
  return {stage, "subject", spirv::write_module(test::module_from_glsl(stage, glsl)), "main"};
}

// The subject linked with its neighbour; both valid, both fitting.
link::InterfaceReport linked(const link::StageInput& subject) {
  const auto neighbour = pass_through_neighbour(subject, spirv::TargetEnv::vulkan1_3);
  INFO((neighbour ? std::string() : render(neighbour.error())));
  REQUIRE(neighbour);
  const auto valid = spirv::validate(neighbour->words, {}, "neighbour");
  INFO((valid ? std::string() : render(valid.error())) << "\n" << spirv::disassemble(neighbour->words));
  REQUIRE(valid);
  link::PipelineInput pipeline;
  pipeline.stages = {*neighbour, subject};
  const link::LinkedPipeline result = driver::link_pipeline(pipeline, {});
  for (const Diagnostic& diagnostic : result.diagnostics) UNSCOPED_INFO(render(diagnostic));
  REQUIRE(result.failure == ErrorKind::none);
  REQUIRE(result.interfaces.size() == 1);
  return result.interfaces.front();
}

constexpr const char* kTypes = R"(
layout(location = 0) $ vec4 a;
layout(location = 1) flat $ ivec2 b;
layout(location = 1, component = 2) flat $ uint c;
layout(location = 2) $ mat3 d;
layout(location = 5) flat $ dvec3 e;
layout(location = 7) noperspective $ float f[3];
struct S { vec2 x; float y; };
layout(location = 10) $ S g;
layout(location = 12) $ Block { centroid vec3 h; } blk;
)";

std::string with_direction(std::string text, const std::string& direction) {
  for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$')) text.replace(at, 1, direction);
  return text;
}

TEST_CASE("a producer is made for a fragment shader with all types of inputs", "[driver]") {
  const auto report = linked(stage_of(
      Stage::fragment, with_direction(kTypes, "in") +
                           "layout(location = 0) out vec4 o; void main() { o = a + vec4(b, c, d[1].y) + vec4(e.x, "
                           "f[2], g.y, blk.h.z); }"));
  CHECK(report.producer == Stage::vertex);
  CHECK(report.before.components == 4 + 2 + 1 + 9 + 6 + 3 + 3 + 3);
  // 64-bit components count twice and stay together; of d, e, f, g and blk one component each is read.
  CHECK(report.after.components < report.before.components);
  CHECK(report.count(link::Outcome::dead) > 10);
  CHECK(report.count(link::Outcome::constant) == 0);
}

TEST_CASE("a consumer is made for a vertex shader with all types of outputs", "[driver]") {
  const auto report = linked(
      stage_of(Stage::vertex,
               with_direction(kTypes, "out") +
                   "layout(location = 0) in vec4 p; void main() { a = p; b = ivec2(p.xy); c = 7u; d = mat3(p.x); e "
                   "= dvec3(p.xyz); f[0] = p.x; f[1] = p.y; f[2] = p.z; g.x = p.xy; g.y = 1.0; blk.h = p.zyx; }"));
  CHECK(report.consumer == Stage::fragment);
  // Everything is read, so nothing is dead; the constants are found.
  CHECK(report.count(link::Outcome::dead) == 0);
  CHECK(report.count(link::Outcome::constant) >= 2);
}

TEST_CASE("an interface without varyings has a neighbour, too", "[driver]") {
  CHECK(linked(stage_of(Stage::fragment, "layout(location = 0) out vec4 o; void main() { o = gl_FragCoord; }"))
            .before.components == 0);
}

TEST_CASE("stages that are no direct neighbours of fragment shaders are refused", "[driver]") {
  const auto result = pass_through_neighbour(
      stage_of(Stage::tess_control, "layout(vertices = 3) out; void main() { gl_TessLevelOuter[0] = 1.0; }"),
      spirv::TargetEnv::vulkan1_3);
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::usage);
  CHECK(result.error().message.find("is a tesc stage") == 0);
  const auto broken = pass_through_neighbour({Stage::vertex, "x.spv", {1, 2, 3}, ""}, spirv::TargetEnv::vulkan1_3);
  REQUIRE_FALSE(broken);
  CHECK(broken.error().kind == ErrorKind::invalid_spirv);
}

}  // namespace
}  // namespace varylink::inspect
