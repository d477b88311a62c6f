#include "report/kept_instructions.h"

#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::report {
namespace {

spirv::Module module_of(const std::string& body, const std::string& prefix = "") {
  const std::string text = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %out Location 0
)" + prefix + R"(
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%po = OpTypePointer Output %float
%pf = OpTypePointer Function %float
%out = OpVariable %po Output
%one = OpConstant %float 1
%two = OpConstant %float 2
%main = OpFunction %void None %fn
%entry = OpLabel
)" + body + "OpReturn\nOpFunctionEnd\n";
  const auto words = spirv::assemble(text, spirv::TargetEnv::vulkan1_0, "test");
  REQUIRE(words);
  Result<spirv::Module> module = spirv::read_module(*words, "test");
  REQUIRE(module);
  return std::move(*module);
}

KeptInstructions kept(const std::string& before, const std::string& after) {
  return kept_instructions(module_of(before), module_of(after));
}

TEST_CASE("ids and names make no difference", "[inspect]") {
  const std::string before = "%a = OpFAdd %float %one %two\nOpStore %out %a\n";
  const std::string after = "%zero = OpFAdd %float %one %two\nOpStore %out %zero\n";
  CHECK(kept_instructions(module_of(before), module_of(after, "OpName %zero \"other\"")) == KeptInstructions{3, 3});
}

TEST_CASE("constants and opcodes do", "[inspect]") {
  const std::string before = "%a = OpFAdd %float %one %two\nOpStore %out %a\n";
  CHECK(kept(before, "%a = OpFAdd %float %two %two\nOpStore %out %a\n") == KeptInstructions{3, 2});
  CHECK(kept(before, "%a = OpFMul %float %one %two\nOpStore %out %a\n") == KeptInstructions{3, 2});
}

TEST_CASE("a value in a local variable is that value", "[inspect]") {
  const std::string before =
      "%v = OpVariable %pf Function\n%a = OpFAdd %float %one %two\nOpStore %v %a\n%l = OpLoad %float %v\n"
      "OpStore %out %l\n";
  CHECK(kept(before, "%a = OpFAdd %float %one %two\nOpStore %out %a\n") == KeptInstructions{3, 3});
}

TEST_CASE("what is added takes nothing away, what goes does", "[inspect]") {
  const std::string before = "%a = OpFAdd %float %one %two\n%b = OpFMul %float %a %two\nOpStore %out %b\n";
  const std::string after =
      "%n = OpFNegate %float %one\n%a = OpFAdd %float %one %two\n%b = OpFMul %float %a %two\nOpStore %out %b\n";
  CHECK(kept(before, after) == KeptInstructions{4, 4});
  CHECK(kept(after, before) == KeptInstructions{5, 4});
}

TEST_CASE("of what changed places one side counts", "[inspect]") {
  const std::string add = "%a = OpFAdd %float %one %two\n", multiply = "%b = OpFMul %float %one %two\n";
  const std::string store = "OpStore %out %one\n";
  CHECK(kept(add + multiply + store, multiply + add + store) == KeptInstructions{4, 3});
}

TEST_CASE("code that repeats itself is matched in order", "[inspect]") {
  std::string many, fewer;
  for (int i = 0; i < 40; ++i) many += "OpStore %out %one\nOpStore %out %two\n";
  for (int i = 0; i < 30; ++i) fewer += "OpStore %out %one\nOpStore %out %two\n";
  CHECK(kept(many, fewer) == KeptInstructions{81, 61});
}

}  // namespace
}  // namespace varylink::report
