#include "link/values/array_constants.h"

#include "driver/prepare.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"
#include "varyings/reflect/pointer_access.h"

namespace varylink::link {
namespace {

LinkedStage stage_of(Stage kind, const std::string& glsl) {
  const std::vector<std::uint32_t> words = spirv::write_module(test::module_from_glsl(kind, glsl));
  auto stage = driver::read_stage("test", kind, words, "");
  REQUIRE(stage);
  driver::prepare(*stage);
  return std::move(*stage);
}

// The array output `a` as a varying.
varyings::Varying array_of(const LinkedStage& stage) {
  varyings::Varying varying;
  for (const varyings::InterfaceVariable& output :
       varyings::interface_variables(stage.module, stage.entry, varyings::Direction::output))
    if (output.name == "a") varying.variable = output.id;
  REQUIRE(varying.variable != 0);
  return varying;
}

// The constants of `int a[4]` in a vertex shader that does this, "-" for what nobody stores; "none" if it has others.
std::string constants_of(const std::string& code) {
  const LinkedStage stage = stage_of(Stage::vertex,
                                     "layout(location = 0) flat out int a[4];\n"
                                     "layout(location = 0) in ivec4 p;\n"
                                     "void main() { " +
                                         code + " }");
  const auto constants = constants_of_array(stage, array_of(stage));
  if (!constants) return "none";
  std::string text;
  for (const auto& bits : *constants) text += (text.empty() ? "" : " ") + (bits ? std::to_string(bits->front()) : "-");
  return text;
}

TEST_CASE("each scalar of an array has the one constant that all stores give it", "[array-constants]") {
  CHECK(constants_of("a = int[4](1, 2, 3, 4);") == "1 2 3 4");
  CHECK(constants_of("for (int i = 0; i < 3; ++i) a[i] = 2 * i;") == "0 2 4 -");
  CHECK(constants_of("a[1] = 5; if (p.x > 0) a[1] = 5;") == "- 5 - -");
  CHECK(constants_of("a[p.x & 3] = 5;") == "5 5 5 5");
  CHECK(constants_of("a[p.x & 3] = 5; a[2] = 5;") == "5 5 5 5");
  CHECK(constants_of("a[p.x & 3] = 5; a[2] = 6;") == "none");
  CHECK(constants_of("a = int[4](1, 2, 3, 4); a[0] = 2;") == "none");
  CHECK(constants_of("a = int[4](1, p.x, 3, 4);") == "none");
  CHECK(constants_of("a[0] = 1; a[1] = p.x;") == "none");
}

TEST_CASE("scalars of vectors and matrices are counted through; structures are not", "[array-constants]") {
  const auto count = [](const std::string& type) {
    const LinkedStage stage =
        stage_of(Stage::vertex, "struct S { float f; };\nlayout(location = 0) out " + type + " a[3];\nvoid main() {}");
    const auto array = scalar_array(stage, varyings::Direction::output, array_of(stage));
    return array ? array->scalars : 0;
  };
  CHECK(count("float") == 3);
  CHECK(count("vec3") == 9);
  CHECK(count("mat2x3") == 18);
  CHECK(count("S") == 0);
}

TEST_CASE("an index that is not constant may mean any element", "[array-constants]") {
  const LinkedStage stage = stage_of(Stage::tess_control,
                                     "layout(vertices = 2) out;\n"
                                     "layout(location = 0) out vec2 a[][3];\n"
                                     "void main() { a[gl_InvocationID][gl_PrimitiveID].y = 1.0; }");
  const varyings::Varying array = array_of(stage);
  const auto shape = scalar_array(stage, varyings::Direction::output, array);
  REQUIRE(shape);
  CHECK(shape->is_per_vertex);
  CHECK(shape->scalars == 6);
  const auto accesses = varyings::accesses_of(stage.module, spirv::Uses(stage.module), array.variable).accesses;
  REQUIRE(accesses.size() == 1);
  const auto reach = reach_of(stage.module, *shape, accesses.front().indices);
  REQUIRE(reach);
  CHECK(reach->firsts == std::vector<std::uint32_t>{1, 3, 5});
  CHECK(reach->scalars == 1);
}

}  // namespace
}  // namespace varylink::link
