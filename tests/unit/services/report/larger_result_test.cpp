#include "report/larger_result.h"

#include "driver/link_pipeline.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::report {
namespace {

const std::string kVertex = R"(
    layout(location = 0) in vec4 p;
    layout(location = 0) out vec4 a[4];
    layout(location = 4) out vec4 unread;
    void main() {
      gl_Position = p;
      for (int i = 0; i < 4; ++i) a[i] = p * float(i);
      unread = p.wzyx;
    })";

link::PipelineInput pipeline_of(const std::string& vertex, const std::string& fragment) {
  link::PipelineInput pipeline;
  for (const auto& [stage, glsl] : {std::pair(Stage::vertex, vertex), std::pair(Stage::fragment, fragment)})
    pipeline.stages.push_back({stage, "test", spirv::write_module(test::module_from_glsl(stage, glsl)), "main"});
  return pipeline;
}

// Of the stage, once the pipeline is linked at -O2.
std::string reason(Stage stage, const std::string& vertex, const std::string& fragment) {
  const link::PipelineInput pipeline = pipeline_of(vertex, fragment);
  const link::LinkedPipeline linked = driver::link_pipeline(pipeline, {});
  REQUIRE(linked.failure == ErrorKind::none);
  const std::size_t at = stage == Stage::vertex ? 0 : 1;
  return reason_to_be_larger(pipeline.stages[at].words, linked.stages[at].words, stage, linked.interfaces);
}

TEST_CASE("a result with functions written out says so", "[inspect]") {
  CHECK(reason(Stage::fragment, kVertex, R"(
    layout(location = 0) in vec4 a[4];
    layout(location = 0) out vec4 o;
    vec4 turned(vec4 x) { return sin(x) * cos(x.yzwx) + tan(x.zwxy) * exp(x.wxyz) + sqrt(x) * log(x.xxyy); }
    void main() { o = turned(a[0]) + turned(a[1].yxzw) + turned(a[2].zxyw) + turned(a[3].wxyz) + turned(a[0] * a[1]); })") ==
        "functions are written out at their calls");
}

TEST_CASE("a result with loops written out says so", "[inspect]") {
  CHECK(reason(Stage::vertex, R"(
    layout(location = 0) in vec4 p;
    layout(location = 0) out vec4 a[12];
    void main() {
      gl_Position = p;
      for (int i = 0; i < 12; ++i) a[i] = sin(p * float(i)) + cos(p);
    })",
               R"(
    layout(location = 0) in vec4 a[12];
    layout(location = 0) out vec4 o;
    void main() { o = sin(a[0] + a[1] + a[2] + a[3] + a[4] + a[5]) + sin(a[6] + a[7] + a[8] + a[9] + a[10]); })") ==
        "loops are unrolled");
}

TEST_CASE("a result that computes what another stage computed says so", "[inspect]") {
  CHECK(reason(Stage::vertex, R"(
    layout(location = 0) in vec4 p;
    layout(location = 0) flat out vec4 a;
    void main() { gl_Position = p; a = p; })",
               R"(
    layout(location = 0) flat in vec4 a;
    layout(location = 0) out vec4 o;
    void main() { o = vec4(sin(a.x) * cos(a.y) + exp(a.z) * sqrt(a.w) + log(a.x + a.y) * tan(a.z)); })") ==
        "it computes what another stage computed");
}

TEST_CASE("a result whose vectors are other ones says so", "[inspect]") {
  CHECK(reason(Stage::vertex, R"(
    layout(location = 0) in vec4 p;
    layout(location = 1) in mat4 k;
    layout(location = 0) out vec2 t;
    layout(location = 1) out mat4 m;
    void main() {
      gl_Position = p;
      t = p.xy;
      m = k;
    })",
               R"(
    layout(location = 0) in vec2 t;
    layout(location = 1) in mat4 m;
    layout(location = 0) out vec4 o;
    void main() { o = vec4(sin(m[0].xyz) + cos(m[1].xyz) * tan(m[2].xyz) + exp(m[3].xyz), sin(t.x) * t.y); })") ==
        "vectors are taken apart and put together");
}

TEST_CASE("a result of about the same size has nothing to say", "[inspect]") {
  CHECK(reason(Stage::vertex, kVertex, R"(
    layout(location = 0) in vec4 a[4];
    layout(location = 0) out vec4 o;
    void main() { o = sin(a[0]) + cos(a[1]) * tan(a[2]) + exp(a[3]); })")
            .empty());
}

}  // namespace
}  // namespace varylink::report
