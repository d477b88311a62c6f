#include "driver/pass_through.h"

#include "driver/link_pipeline.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::driver {
namespace {

using varyings::Direction;

link::StageInput stage_of(Stage stage, const std::string& glsl) {
  return {stage, "subject", spirv::write_module(test::module_from_glsl(stage, glsl)), "main"};
}

// The subject linked with its neighbour; both valid, both fitting.
link::InterfaceReport linked(const link::StageInput& subject, varyings::Direction side) {
  const auto neighbour = pass_through_neighbour(subject, side, spirv::TargetEnv::vulkan1_3);
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
  const auto report =
      linked(stage_of(Stage::fragment,
                      with_direction(kTypes, "in") +
                          "layout(location = 0) out vec4 o; void main() { o = a + vec4(b, c, d[1].y) + vec4(e.x, "
                          "f[2], g.y, blk.h.z); }"),
             Direction::input);
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
                   "= dvec3(p.xyz); f[0] = p.x; f[1] = p.y; f[2] = p.z; g.x = p.xy; g.y = 1.0; blk.h = p.zyx; }"),
      Direction::output);
  CHECK(report.consumer == Stage::fragment);
  // Everything is read, so nothing is dead; the constants are found.
  CHECK(report.count(link::Outcome::dead) == 0);
  CHECK(report.count(link::Outcome::constant) >= 2);
}

TEST_CASE("a mesh stage is made for a fragment shader with inputs per primitive, of all widths", "[driver]") {
  const auto report = linked(stage_of(Stage::fragment, R"(
      #extension GL_EXT_mesh_shader : require
      #extension GL_EXT_shader_explicit_arithmetic_types : require
      layout(location = 0) in vec4 a;
      layout(location = 1) perprimitiveEXT flat in ivec3 b;
      layout(location = 2) perprimitiveEXT flat in dvec2 c;
      layout(location = 3) flat in f16vec2 d;
      layout(location = 4) perprimitiveEXT flat in uint16_t e;
      layout(location = 5) perprimitiveEXT flat in uvec2 f;
      layout(location = 6) perprimitiveEXT flat in uint64_t g;
      layout(location = 0) out vec4 o;
      void main() {
        vec4 sum = a + vec4(b.xyz, c.y);
        o = sum + vec4(float(d.x), float(e), f.x + f.y, float(g));
      })"),
                             Direction::input);
  CHECK(report.producer == Stage::mesh);
  CHECK(report.before.components == 4 + 3 + 4 + 2 + 1 + 2 + 2);
  CHECK(report.count(link::Outcome::dead) == 2 + 1);  // c.x, of two components, and d.y
  CHECK(report.count(link::Outcome::constant) + report.count(link::Outcome::uniform) == 0);
  CHECK(report.count(link::Outcome::duplicate) == 0);
}

TEST_CASE("an interface without varyings has a neighbour, too", "[driver]") {
  CHECK(linked(stage_of(Stage::fragment, "layout(location = 0) out vec4 o; void main() { o = gl_FragCoord; }"),
               Direction::input)
            .before.components == 0);
}

TEST_CASE("both sides of a control shader have a neighbour", "[driver]") {
  const link::StageInput subject = stage_of(Stage::tess_control, R"(
      layout(vertices = 3) out;
      layout(location = 0) in vec4 a[]; layout(location = 1) in dvec3 b[];
      layout(location = 0) out vec4 c[]; layout(location = 1) out ivec2 d[]; layout(location = 2) patch out vec3 e;
      void main() {
        c[gl_InvocationID] = a[gl_InvocationID]; d[gl_InvocationID] = ivec2(b[0].x); e = vec3(a[0].x, 1, 2);
        gl_TessLevelOuter[0] = 1.0;
      })");
  const auto in = linked(subject, Direction::input), out = linked(subject, Direction::output);
  CHECK(in.producer == Stage::vertex);
  CHECK(in.before.components == 4 + 6);
  CHECK(in.count(link::Outcome::dead) == 4);  // 64-bit components count twice
  CHECK(out.consumer == Stage::tess_eval);
  CHECK(out.before.components == 4 + 2 + 3);
  CHECK(out.count(link::Outcome::dead) == 0);
  CHECK(out.count(link::Outcome::constant) == 2);
}

TEST_CASE("both sides of an evaluation shader have a neighbour", "[driver]") {
  const link::StageInput subject = stage_of(Stage::tess_eval, R"(
      layout(triangles) in;
      layout(location = 0) in vec4 a[]; layout(location = 1) patch in vec3 b; layout(location = 2) in ivec2 c[];
      layout(location = 0) out vec4 d; layout(location = 1) flat out int e;
      void main() { d = vec4(a[0].xy + a[2].xy, b.z, 1); e = c[1].y; })");
  const auto in = linked(subject, Direction::input), out = linked(subject, Direction::output);
  CHECK(in.producer == Stage::tess_control);
  CHECK(in.before.components == 4 + 3 + 2);
  CHECK(in.count(link::Outcome::dead) == 5);
  CHECK(out.consumer == Stage::fragment);
  CHECK(out.count(link::Outcome::dead) == 0);
  CHECK(out.count(link::Outcome::constant) == 1);
}

TEST_CASE("both sides of a geometry shader have a neighbour", "[driver]") {
  const link::StageInput subject = stage_of(Stage::geometry, R"(
      layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
      layout(location = 0) in vec4 a[]; layout(location = 0) out vec4 b;
      void main() {
        for (int i = 0; i < 3; ++i) { gl_Position = vec4(i); b = vec4(a[i].xy, 1, 1); EmitVertex(); }
      })");
  const auto in = linked(subject, Direction::input), out = linked(subject, Direction::output);
  CHECK(in.producer == Stage::vertex);
  CHECK(in.count(link::Outcome::dead) == 2);
  CHECK(out.consumer == Stage::fragment);
  CHECK(out.count(link::Outcome::constant) == 2);
}

TEST_CASE("outputs of a mesh shader have a neighbour", "[driver]") {
  const auto out = linked(stage_of(Stage::mesh, R"(
      #extension GL_EXT_mesh_shader : require
      layout(local_size_x = 1) in; layout(triangles, max_vertices = 3, max_primitives = 1) out;
      layout(location = 0) out vec2 a[]; layout(location = 1) perprimitiveEXT out ivec2 b[];
      void main() {
        SetMeshOutputsEXT(3, 1);
        for (int i = 0; i < 3; ++i) { gl_MeshVerticesEXT[i].gl_Position = vec4(i); a[i] = vec2(i, 1); }
        gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
        b[0] = ivec2(gl_WorkGroupID.x, 7);
      })"),
                          Direction::output);
  CHECK(out.producer == Stage::mesh);
  CHECK(out.before.components == 4);
  CHECK(out.count(link::Outcome::dead) == 0);
  CHECK(out.count(link::Outcome::constant) == 2);
}

TEST_CASE("task shaders have no side, and broken ones no neighbour", "[driver]") {
  CHECK(sides_of(Stage::task).empty());
  const auto broken =
      pass_through_neighbour({Stage::vertex, "x.spv", {1, 2, 3}, ""}, Direction::output, spirv::TargetEnv::vulkan1_3);
  REQUIRE_FALSE(broken);
  CHECK(broken.error().kind == ErrorKind::invalid_spirv);
}

}  // namespace
}  // namespace varylink::driver
