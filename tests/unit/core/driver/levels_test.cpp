// What levels leave, one against the other. Not among the cases: what is linked again has another cost to start from.
#include "driver/link_pipeline.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::driver {
namespace {

// All that -O2 could do here would cost too much. Found by the generator.
const std::string kVertex = R"(
    void main() {
      int vk = gl_VertexIndex % 3, vt = gl_VertexIndex / 3;
      vec2 vp = vec2(float(vk & 1), float(vk >> 1));
      if ((vt & 1) == 1) vp = 1.0 - vp;
      int vc = ((vt >> 1) - 1) & 15;
      float vs = vt < 2 ? 1.9 : 0.475;
      vec2 vo = vt < 2 ? vec2(-0.95) : vec2(-0.95) + 0.475 * vec2(float(vc & 3), float(vc >> 2));
      float vw = 1.0 + 0.375 * float(gl_VertexIndex % 5);
      gl_Position = vec4((vo + vs * vp) * vw, 0.5 * vw, vw);
    })";
const std::string kGeometry = R"(
    layout(triangles) in;
    layout(triangle_strip, max_vertices = 6) out;
    layout(push_constant) uniform Push { vec4 pa; float pf; int pn; uint pu; vec4 parr[3]; } push;
    layout(location = 0) out uvec3 u;
    layout(location = 1) out vec3 v;
    void main() {
      for (int k = 0; k < 3; ++k) {
        uvec4 x = uvec4(uvec2(5u), uint(push.pn), 5u);
        u = uvec3(5u) + (2u * x.xyz);
        v = vec3(0.5);
        if ((push.pn & 3) < 2) v = push.pa.xyz;
        gl_Position = gl_in[k].gl_Position;
        EmitVertex();
      }
      EndPrimitive();
    })";
const std::string kFragment = R"(
    layout(location = 0) flat in uvec3 u;
    layout(location = 1) in vec3 v;
    layout(location = 0) out vec4 c0;
    layout(location = 1) out uvec4 c1;
    layout(location = 2) out vec4 c2;
    void main() {
      c0 = vec4(0.0);
      c1 = (uvec4(1u) << 1u) ^ u.xyzx;
      c2 = vec4(interpolateAtSample(v, 0), 0.5);
    })";

std::uint32_t left_by(link::Level level) {
  link::PipelineInput pipeline;
  for (const auto& [stage, glsl] : {std::pair(Stage::vertex, kVertex), std::pair(Stage::geometry, kGeometry),
                                    std::pair(Stage::fragment, kFragment)})
    pipeline.stages.push_back({stage, "test", spirv::write_module(test::module_from_glsl(stage, glsl)), "main"});
  link::LinkOptions options;
  options.level = level;
  const link::LinkedPipeline linked = link_pipeline(pipeline, options);
  REQUIRE(linked.failure == ErrorKind::none);
  return linked.interfaces.back().after.components;
}

// allows: R-8.10
// forbids: R-8.10
TEST_CASE("no level leaves more than the one below", "[driver]") {
  CHECK(left_by(link::Level::exact) == 4);
  CHECK(left_by(link::Level::motion) <= 4);
  CHECK(left_by(link::Level::discontinuous) <= 4);
}

}  // namespace
}  // namespace varylink::driver
