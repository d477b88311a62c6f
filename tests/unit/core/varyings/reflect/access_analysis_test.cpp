#include "varyings/reflect/access_analysis.h"

#include <map>

#include "support/catch.h"
#include "support/shader.h"

using namespace varylink;
using varyings::Direction;

namespace {

// "name read/written" for each leaf in order of location, components as letters.
std::vector<std::string> accesses(Stage stage, Direction direction, const std::string& glsl) {
  const spirv::Module module = test::module_from_glsl(stage, glsl);
  const auto entry = varyings::find_entry(module, stage, "", "test");
  REQUIRE(entry);
  const auto variables = varyings::interface_variables(module, *entry, direction);
  const auto accessed = varyings::analyze_access(module, *entry, variables);
  REQUIRE(accessed.size() == variables.size());
  const auto letters = [](std::uint8_t mask) {
    std::string text;
    for (int i = 0; i < 4; ++i)
      if (mask >> i & 1) text += "xyzw"[i];
    return text.empty() ? std::string("-") : text;
  };
  std::map<varyings::Slot, std::string> texts;
  for (std::size_t i = 0; i < variables.size(); ++i)
    for (std::size_t leaf = 0; leaf < variables[i].leaves.size(); ++leaf)
      texts[variables[i].leaves[leaf].slot] = variables[i].leaves[leaf].name + " " +
                                              letters(accessed[i].leaves[leaf].read) + "/" +
                                              letters(accessed[i].leaves[leaf].written);
  std::vector<std::string> ordered;
  for (const auto& [slot, text] : texts) ordered.push_back(text);
  return ordered;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("only the components that code takes count as read") {
  CHECK(accesses(Stage::fragment, Direction::input, R"(
      layout(location = 0) in vec4 whole;
      layout(location = 1) in vec4 one;
      layout(location = 2) in vec4 swizzled;
      layout(location = 3) in vec4 unused;
      layout(location = 4) in Block { vec4 a; vec4 b; } v;
      layout(location = 0) out vec4 o;
      void main() { o = whole + vec4(one.z) + swizzled.ywyw + v.b; })") ==
        Texts{"whole xyzw/-", "one z/-", "swizzled yw/-", "unused -/-", "v.a -/-", "v.b xyzw/-"});
}

TEST_CASE("a constant index reads one element, any other index all of them") {
  CHECK(accesses(Stage::fragment, Direction::input, R"(
      layout(location = 0) flat in int i;
      layout(location = 1) in vec2 a[3];
      layout(location = 4) in vec2 b[2];
      layout(location = 0) out vec4 o;
      void main() { o = vec4(a[1], b[i]); })") ==
        Texts{"i x/-", "a[0] -/-", "a[1] xy/-", "a[2] -/-", "b[0] xy/-", "b[1] xy/-"});
}

TEST_CASE("writes are seen by component, in called functions too, and read-back is a read") {
  CHECK(accesses(Stage::vertex, Direction::output, R"(
      layout(location = 0) out vec4 a;
      layout(location = 1) out vec4 b;
      layout(location = 2) out mat2 m;
      void f() { b.yz = vec2(1); }
      void main() { a = vec4(1); f(); m[1] = vec2(a.x); })") == Texts{"a x/xyzw", "b -/yz", "m[0] -/-", "m[1] -/xy"});
}

TEST_CASE("the vertex index is not part of the element path") {
  CHECK(accesses(Stage::geometry, Direction::input, R"(
      layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;
      layout(location = 0) in vec4 a[];
      layout(location = 1) in Block { vec4 b; vec2 c[2]; } v[];
      layout(location = 0) out vec4 o;
      void main() { for (int i = 0; i < 3; ++i) { o = vec4(a[i].y) + v[i].c[1].xyxy; EmitVertex(); } })") ==
        Texts{"a y/-", "v.b -/-", "v.c[0] -/-", "v.c[1] xy/-"});
}

TEST_CASE("interpolation functions read what they point at") {
  CHECK(accesses(Stage::fragment, Direction::input, R"(
      layout(location = 0) in vec4 a;
      layout(location = 1) in vec4 b;
      layout(location = 0) out vec4 o;
      void main() { o = interpolateAtCentroid(a); })") == Texts{"a xyzw/-", "b -/-"});
}

TEST_CASE("a value that a loop carries around is read") {
  const spirv::Module module = test::module_from_assembly(R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint Fragment %main "main" %in %out
      OpExecutionMode %main OriginUpperLeft
      OpDecorate %in Location 0
      OpDecorate %out Location 0
      %void = OpTypeVoid
      %fn = OpTypeFunction %void
      %bool = OpTypeBool
      %float = OpTypeFloat 32
      %zero = OpConstant %float 0
      %true = OpConstantTrue %bool
      %ptr_in = OpTypePointer Input %float
      %ptr_out = OpTypePointer Output %float
      %in = OpVariable %ptr_in Input
      %out = OpVariable %ptr_out Output
      %main = OpFunction %void None %fn
      %start = OpLabel
      OpBranch %head
      %head = OpLabel
      %phi = OpPhi %float %zero %start %value %again
      OpLoopMerge %done %again None
      OpBranchConditional %true %done %again
      %again = OpLabel
      %value = OpLoad %float %in
      OpBranch %head
      %done = OpLabel
      OpStore %out %phi
      OpReturn
      OpFunctionEnd)");
  const auto entry = varyings::find_entry(module, Stage::fragment, "", "test");
  REQUIRE(entry);
  const auto inputs = varyings::interface_variables(module, *entry, Direction::input);
  CHECK(varyings::analyze_access(module, *entry, inputs)[0].leaves[0].read == 1);
}
