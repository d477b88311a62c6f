#include "analysis/built_in_code.h"

#include "driver/open_stage.h"
#include "driver/recipes.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::analysis {
namespace {

using Code = std::optional<std::vector<std::uint32_t>>;

const char* const kHead = R"(#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform U { mat4 m; vec4 u; int count; };
layout(binding = 1) buffer S { vec4 s; };
layout(binding = 2) uniform sampler2D t;
)";

Code code_of(const std::string& body, CodeNumbers& numbers, const std::string& globals = {}) {
  const std::string glsl = kHead + globals + "void main() {\n" + body + "}\n";
  auto stage = driver::open_stage(
      FileRef("subject"),
      {Stage::vertex, "subject", spirv::write_module(test::module_from_glsl(Stage::vertex, glsl)), "main"}, {});
  INFO((stage ? std::string() : render(stage.error())));
  REQUIRE(stage);
  driver::run_recipe(driver::kPrepare, *stage);
  return built_in_code(stage->module, stage->entry.function, numbers);
}

bool is_same(const std::string& left, const std::string& right) {
  CodeNumbers numbers;
  const Code a = code_of(left, numbers), b = code_of(right, numbers);
  REQUIRE(a);
  REQUIRE(b);
  return *a == *b;
}

bool is_told(const std::string& body) {
  CodeNumbers numbers;
  return code_of(body, numbers).has_value();
}

TEST_CASE("code of built-in outputs has no varyings, copies of vectors and places", "[analysis]") {
  CHECK(is_same("gl_Position = a * b;", "vec4 c = a; color = sin(b); c *= b; gl_Position = c;"));
  CHECK(is_same("gl_Position = m * a;", "color = a * 2.0; mat4 c = m; if (b.x > 0.0) color = b; gl_Position = c * a;"));
  CHECK(is_same("vec4 c = a * b; gl_Position = vec4(c.xy, c.zw);", "gl_Position = a * b;"));
  CHECK(is_same("color = a * b; gl_Position = color;", "gl_Position = a * b;"));
  CHECK(is_same("color = a * b; gl_Position = a; gl_PointSize = color.y;",
                "gl_Position = a; float c = (a * b).y; gl_PointSize = c;"));
  CHECK(is_same("gl_Position = textureLod(t, a.xy, 0.0);",
                "color = texture(t, b.xy); gl_Position = textureLod(t, a.xy, 0.0);"));
  CHECK(is_same("vec4 c; if (b.x > 0.0) c = a; else c = u * a; gl_Position = c;",
                "if (b.y > 0.0) color = b; vec4 c; if (b.x > 0.0) c = a; else c = u * a; gl_Position = c;"));
}

TEST_CASE("code of built-in outputs differs in operations, operands, decorations, conditions and order", "[analysis]") {
  CHECK_FALSE(is_same("gl_Position = a * b;", "gl_Position = a + b;"));
  CHECK_FALSE(is_same("gl_Position = a - b;", "gl_Position = b - a;"));
  CHECK_FALSE(is_same("gl_Position = a * b;", "gl_Position = b * a;"));
  CHECK_FALSE(is_same("gl_Position = a * 2.0;", "gl_Position = a * 3.0;"));
  CHECK_FALSE(is_same("gl_Position = m * a;", "gl_Position = u * a;"));
  CHECK_FALSE(is_same("vec4 c = a * b; gl_Position = c.xyzw;", "vec4 c = a * b; gl_Position = c.xyww;"));
  CHECK_FALSE(is_same("gl_Position = a * b;", "precise vec4 c = a * b; gl_Position = c;"));
  CHECK_FALSE(
      is_same("gl_Position = a; if (b.x > 0.0) gl_Position = b;", "gl_Position = a; if (b.y > 0.0) gl_Position = b;"));
  CHECK_FALSE(is_same("gl_Position = a; if (b.x > 0.0) gl_Position = b;",
                      "gl_Position = a; if (b.x > 0.0) {} else gl_Position = b;"));
  CHECK_FALSE(is_same("gl_Position = a; if (b.x > 0.0) gl_Position = b;", "gl_Position = a; gl_Position = b;"));
  CHECK_FALSE(is_same("gl_Position = a; gl_Position = b;", "gl_Position = b; gl_Position = a;"));
  CHECK_FALSE(is_same("gl_Position = a; gl_PointSize = 1.0;", "gl_Position = a;"));
  CHECK_FALSE(is_same("gl_Position = a; gl_Position.x += 1.0; gl_Position.x += 1.0;",
                      "gl_Position = a; gl_Position.x += 1.0;"));
}

TEST_CASE("code of built-in outputs is not told by values in loops, switches and beside effects", "[analysis]") {
  CHECK(is_told(
      "gl_Position = a; if (b.x > 0.0) { gl_Position.y = -gl_Position.y; if (b.y > 0.0) gl_PointSize = b.z; }"));
  CHECK_FALSE(is_told("gl_Position = a; for (int i = 0; i < count; ++i) gl_Position += b;"));
  CHECK_FALSE(is_told("vec4 c = a; for (int i = 0; i < count; ++i) c += b; gl_Position = c;"));
  CHECK_FALSE(is_told("gl_Position = a; switch (count) { case 1: gl_Position = b; break; default: break; }"));
  CHECK_FALSE(is_told("gl_Position = a; s = b;"));
  CHECK_FALSE(is_told("gl_Position = s;"));
  CHECK_FALSE(is_told("if (b.x > 0.0) color = a; gl_Position = color;"));
  CHECK_FALSE(is_told("gl_Position = a; if (b.x > 0.0) return; gl_Position.x = 1.0;"));
  CHECK_FALSE(is_told("color = a; if (b.x > 0.0) color = b; gl_Position = color;"));
}

}  // namespace
}  // namespace varylink::analysis
