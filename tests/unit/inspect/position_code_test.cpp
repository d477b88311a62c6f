#include "inspect/position_code.h"

#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::inspect {
namespace {

std::string code_of(const std::string& body) {
  const std::string glsl = R"(#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 color;
void main() {
)" + body + "}\n";
  const auto code = position_code(
      {Stage::vertex, "subject", spirv::write_module(test::module_from_glsl(Stage::vertex, glsl)), "main"}, {});
  INFO((code ? std::string() : render(code.error())));
  REQUIRE(code);
  return *code;
}

TEST_CASE("varyings and locals are no part of the code of positions", "[inspect]") {
  CHECK(code_of("gl_Position = a * b;") == code_of("vec4 c = a; color = sin(b); c *= b; gl_Position = c;"));
}

TEST_CASE("components may be moved in other ways, and equal values computed once", "[inspect]") {
  CHECK(code_of("vec4 c = a * b; gl_Position = vec4(c.x, c.y, c.z, c.w);") == code_of("gl_Position = a * b;"));
  CHECK(code_of("vec4 c = a * b; gl_Position = vec4(c.xy, c.zw);") == code_of("gl_Position = a * b;"));
  CHECK(code_of("vec4 c = a * b; vec4 d = a + b; gl_Position = vec4(c.x, c.y, d.z, d.w);") ==
        code_of("vec4 c = a * b; vec4 d = a + b; gl_Position = vec4(c.xy, d.zw);"));
  CHECK(code_of("gl_Position = sin(a) * b + sin(a);") == code_of("vec4 c = sin(a); gl_Position = c * b + c;"));
}

TEST_CASE("other arithmetic, in another order or of other components, is other code", "[inspect]") {
  const std::string code = code_of("gl_Position = a * b + a;");
  CHECK(code_of("gl_Position = fma(a, b, a);") != code);
  CHECK(code_of("gl_Position = a + a * b;") != code);
  CHECK(code_of("gl_Position = a * b.yxzw + a;") != code);
  CHECK(code_of("vec4 c = a * b + a; gl_Position = vec4(c.yx, c.zw);") != code);
  CHECK(code_of("precise vec4 c = a * b + a; gl_Position = c;") != code);
}

}  // namespace
}  // namespace varylink::inspect
