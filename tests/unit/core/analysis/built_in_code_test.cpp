#include "analysis/built_in_code.h"

#include "driver/open_stage.h"
#include "prepare/recipes.h"
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
  prepare::run_recipe(prepare::kPrepare, *stage);
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
  CHECK_FALSE(is_same("gl_Position = vec4[2](a, b)[1];", "gl_Position = vec4[2](a, b)[0];"));
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

// Two vertex inputs, two outputs with locations of which %k is stored under a condition, and the given decorations,
// types and code.
std::optional<std::vector<std::uint32_t>> code_of_assembly(CodeNumbers& numbers, const std::string& code,
                                                           const std::string& annotations = {},
                                                           const std::string& types = {}) {
  const spirv::Module module = test::module_from_assembly(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Vertex %main "main" %a %b %pos %k
               OpDecorate %a Location 0
               OpDecorate %b Location 1
               OpDecorate %k Location 0
               OpDecorate %pos BuiltIn Position
)" + annotations + R"(
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %bool = OpTypeBool
       %uint = OpTypeInt 32 0
      %float = OpTypeFloat 32
         %v4 = OpTypeVector %float 4
         %u0 = OpConstant %uint 0
         %f0 = OpConstant %float 0
       %in_t = OpTypePointer Input %v4
      %out_t = OpTypePointer Output %v4
 %out_float_t = OpTypePointer Output %float
          %a = OpVariable %in_t Input
          %b = OpVariable %in_t Input
        %pos = OpVariable %out_t Output
          %k = OpVariable %out_t Output
)" + types + R"(
       %main = OpFunction %void None %fn
      %entry = OpLabel
         %av = OpLoad %v4 %a
         %bv = OpLoad %v4 %b
         %ax = OpCompositeExtract %float %av 0
         %bx = OpCompositeExtract %float %bv 0
         %c1 = OpFOrdLessThan %bool %ax %f0
         %c2 = OpFOrdLessThan %bool %bx %f0
)" + code + R"(
               OpReturn
               OpFunctionEnd
)");
  return built_in_code(module, module.functions.front().result, numbers);
}

TEST_CASE("a varying that is read back with less precision than it was stored is not told", "[analysis]") {
  const std::string code = R"(
               OpStore %k %av
         %kp = OpAccessChain %out_float_t %k %u0
         %kx = OpLoad %float %kp
          %p = OpCompositeInsert %v4 %kx %av 0
               OpStore %pos %p
)";
  CodeNumbers numbers;
  const auto whole = code_of_assembly(numbers, "OpStore %pos %av");
  CHECK(code_of_assembly(numbers, code) == whole);
  CHECK_FALSE(code_of_assembly(numbers, code, "OpDecorate %k RelaxedPrecision"));
  CHECK_FALSE(code_of_assembly(numbers, code, "OpDecorate %kx RelaxedPrecision"));
}

TEST_CASE("a store behind a branch that leaves a selection has a condition that no construct tells", "[analysis]") {
  const auto code = [](const std::string& inner) {
    return R"(
               OpStore %pos %av
               OpSelectionMerge %m None
               OpBranchConditional %c1 %body %m
       %body = OpLabel
               )" +
           inner + R"(
          %x = OpLabel
               OpStore %pos %bv
               OpBranch %m
          %m = OpLabel
)";
  };
  CodeNumbers numbers;
  CHECK(code_of_assembly(numbers, code("OpBranch %x")));
  CHECK_FALSE(code_of_assembly(numbers, code("OpBranchConditional %c2 %m %x")));
}

TEST_CASE("layouts and array lengths that nobody knows are part of the code", "[analysis]") {
  const std::string types = R"(
        %arr = OpTypeArray %float %n
       %part = OpTypeStruct %arr %float
      %block = OpTypeStruct %part %v4
    %block_t = OpTypePointer Uniform %block
     %part_t = OpTypePointer Uniform %part
          %u = OpVariable %block_t Uniform
)";
  const auto annotations = [](const std::string& offset) {
    return R"(
               OpDecorate %block Block
               OpMemberDecorate %block 0 Offset 0
               OpMemberDecorate %block 1 Offset 128
               OpMemberDecorate %part 0 Offset 0
               OpMemberDecorate %part 1 Offset )" +
           offset + R"(
               OpDecorate %arr ArrayStride 16
               OpDecorate %u DescriptorSet 0
               OpDecorate %u Binding 0
)";
  };
  const auto code = [](const std::string& place) {
    return R"(
         %pp = OpAccessChain %part_t %u %u0
         %pv = OpLoad %part %pp
          %e = OpCompositeExtract %float %pv )" +
           place + R"(
          %p = OpCompositeInsert %v4 %e %av 0
               OpStore %pos %p
)";
  };
  CodeNumbers numbers;
  const std::string known = "%n = OpConstant %uint 3\n", open = "%n = OpSpecConstant %uint 3\n";
  const auto told = code_of_assembly(numbers, code("1"), annotations("48"), known + types);
  REQUIRE(told);
  CHECK(told != code_of_assembly(numbers, code("1"), annotations("64"), known + types));
  CHECK(told != code_of_assembly(numbers, code("0 1"), annotations("48"), known + types));
  CHECK(code_of_assembly(numbers, code("0 1"), annotations("48"), open + types) !=
        code_of_assembly(numbers, code("0 2"), annotations("48"), open + types));
  CHECK(code_of_assembly(numbers, code("0 1"), annotations("48"), open + types) !=
        code_of_assembly(numbers, code("1"), annotations("48"), open + types));
}

TEST_CASE("constants that nest deeply are not told, and cost no stack", "[analysis]") {
  std::string types = "%s0 = OpSpecConstant %uint 3\n";
  for (int i = 1; i < 20000; ++i)
    types += "%s" + std::to_string(i) + " = OpSpecConstantOp %uint IAdd %s" + std::to_string(i - 1) + " %u0\n";
  CodeNumbers numbers;
  CHECK_FALSE(code_of_assembly(numbers, R"(
          %f = OpConvertUToF %float %s19999
          %p = OpCompositeInsert %v4 %f %av 0
               OpStore %pos %p
)",
                               {}, types));
}

}  // namespace
}  // namespace varylink::analysis
