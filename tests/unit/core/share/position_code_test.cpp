#include "share/position_code.h"

#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::share {
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

TEST_CASE("a varying that the stage reads back is a value like others, and nothing that only feeds varyings is left",
          "[inspect]") {
  CHECK(code_of("color = a * b; gl_Position = color;") == code_of("gl_Position = a * b;"));
  CHECK(code_of("color.xy = a.xy * b.xy; color.x += 1.0; gl_Position = vec4(color.xy, a.zw);") ==
        code_of("vec2 c = a.xy * b.xy; c.x += 1.0; gl_Position = vec4(c, a.zw);"));
  CHECK(code_of("gl_Position = a; if (b.x > 0.5) { color = b; if (b.y > 0.5) color = a; }") ==
        code_of("gl_Position = a;"));
  CHECK(code_of("if (b.x > 0.5) color = a * 2.0; else color = b; gl_Position = color;") ==
        code_of("vec4 c; if (b.x > 0.5) c = a * 2.0; else c = b; gl_Position = c;"));
  CHECK(code_of("if (b.x > 0.5) color = a * 2.0; else color = b; gl_Position = color;") !=
        code_of("vec4 c; if (b.x > 0.5) c = a * 2.0; else c = b + a; gl_Position = c;"));
}

TEST_CASE("formats of attributes that positions read are left out where they lack components", "[inspect]") {
  const std::string glsl = R"(#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 2) in vec2 c;
layout(location = 0) out vec4 color;
void main() { gl_Position = a; color = b * c.x; }
)";
  const auto words = spirv::write_module(test::module_from_glsl(Stage::vertex, glsl));
  const auto formats_beside = [&](const std::map<std::uint32_t, std::string>& formats) {
    state::PipelineState state;
    state.attribute_formats = formats;
    const auto beside = state_beside_positions({Stage::vertex, "subject", words, "main"}, state, {});
    REQUIRE(beside);
    return beside->attribute_formats;
  };
  const std::string three = "R32G32B32_SFLOAT", four = "R32G32B32A32_SFLOAT";
  using Formats = std::map<std::uint32_t, std::string>;
  CHECK(formats_beside({{0, three}, {1, three}}) == Formats{{1, three}});
  CHECK(formats_beside({{0, four}, {1, four}}) == Formats{{0, four}, {1, four}});
  CHECK(formats_beside({{1, three}, {2, three}}) == Formats{{1, three}, {2, three}});
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
}  // namespace varylink::share
