#include "varyings/vectorize/array_elements.h"

#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"
#include "support/shader.h"

using namespace varylink;
using varyings::Direction;

namespace {

struct Arrayed {
  spirv::Module module;
  varyings::Entry entry;
  varyings::Varying varying;
};

// The stage with its first interface variable as a whole varying.
Arrayed arrayed(Stage stage, Direction direction, const std::string& glsl) {
  Arrayed result{test::module_from_glsl(stage, glsl), {}, {}};
  const auto entry = varyings::find_entry(result.module, stage, "", "test");
  REQUIRE(entry);
  result.entry = *entry;
  result.varying.form = varyings::Varying::Form::unsplit;
  result.varying.variable = varyings::interface_variables(result.module, result.entry, direction).front().id;
  return result;
}

std::string after_widening(Arrayed stage, std::uint32_t components) {
  const auto shape = varyings::shape_to_widen(stage.module, stage.varying);
  REQUIRE(shape);
  varyings::ComponentPlaces places(shape->components);
  for (std::uint32_t i = 0; i < places.size(); ++i) places[i] = i;
  const spirv::Id old = stage.varying.variable;
  const spirv::Id variable = varyings::set_components(stage.module, stage.entry, old, places, components);
  CHECK_FALSE(stage.module.def(old));
  CHECK(stage.module.def(variable));
  const std::vector<std::uint32_t> words = spirv::write_module(stage.module);
  const auto valid = spirv::validate(words, spirv::ValidatorOptions{}, "test");
  CHECK(valid);
  return spirv::disassemble(words);
}

}  // namespace

TEST_CASE("elements, components and all of a widened array are loaded as they were", "[io]") {
  const std::string code = after_widening(arrayed(Stage::fragment, Direction::input, R"(
      layout(location = 0) in vec3 a[4];
      layout(push_constant) uniform P { int i; };
      layout(location = 0) out vec4 o;
      void main() {
        vec3 all[4] = a;
        o = vec4(a[i], a[i].y) + all[i].xyzz;
      })"),
                                          4);
  CHECK(code.find("OpTypeArray %v4float") != std::string::npos);
  CHECK(code.find("Location 0") != std::string::npos);
}

TEST_CASE("a widened array is stored component by component", "[io]") {
  const std::string code = after_widening(arrayed(Stage::vertex, Direction::output, R"(
      layout(location = 0) out float a[2];
      layout(location = 0) in vec2 p;
      void main() {
        a = float[2](p.x, p.y);
        a[1] = p.x;
      })"),
                                          3);
  CHECK(code.find("OpTypeArray %v3float") != std::string::npos);
  CHECK(code.find("OpTypePointer Output %float") != std::string::npos);
}

TEST_CASE("only arrays of floats with plain accesses can be widened", "[io]") {
  const auto shape = [](const std::string& glsl) {
    const Arrayed stage = arrayed(Stage::fragment, Direction::input, glsl);
    return varyings::shape_to_widen(stage.module, stage.varying);
  };
  const std::string rest = "layout(push_constant) uniform P { int i; }; layout(location = 0) out vec4 o; void main() ";
  CHECK(shape("layout(location = 0) in vec2 a[3];" + rest + "{ o = a[i].xyxy; }") == varyings::ArrayShape{3, 2});
  CHECK(shape("layout(location = 0) in vec2 a;" + rest + "{ o = a.xyxy; }") == std::nullopt);
  CHECK(shape("layout(location = 0) flat in ivec2 a[3];" + rest + "{ o = vec4(a[i].xyxy); }") == std::nullopt);
  CHECK(shape("layout(location = 0) in vec2 a[3][2];" + rest + "{ o = a[i][i].xyxy; }") == std::nullopt);
  CHECK(shape("layout(location = 0) in mat2 a[3];" + rest + "{ o = a[i][0].xyxy; }") == std::nullopt);
  CHECK(shape("layout(location = 0) in vec2 a[3];" + rest + "{ o = interpolateAtCentroid(a[i]).xyxy; }") ==
        std::nullopt);
}
