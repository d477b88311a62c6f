#include "support/contract.h"

#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::test {
namespace {

std::set<std::string> contract(std::string_view text, Stage stage) {
  const auto words = spirv::assemble(text, spirv::TargetEnv::vulkan1_0, "test");
  REQUIRE(words);
  return contract_of(*words, stage, "");
}

std::string fragment(const std::string& interface, const std::string& annotations, const std::string& variables) {
  return "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
         "OpEntryPoint Fragment %main \"main\" " +
         interface + "\nOpExecutionMode %main OriginUpperLeft\n" + annotations +
         "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n"
         "%in_v4 = OpTypePointer Input %v4\n%out_v4 = OpTypePointer Output %v4\n" +
         variables + "%main = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
}

TEST_CASE("the contract of a fragment stage names its outputs and built-in inputs, not its varyings", "[support]") {
  const std::string variables = "%color = OpVariable %out_v4 Output\n%coord = OpVariable %in_v4 Input\n";
  const auto both = contract(
      fragment("%color %coord", "OpDecorate %color Location 1\nOpDecorate %coord BuiltIn FragCoord\n", variables),
      Stage::fragment);
  CHECK(both.count("input built-in 15") == 1);
  CHECK(both.count("entry point main") == 1);
  CHECK(both.count("execution mode 7") == 1);

  const auto moved = contract(
      fragment("%color %coord", "OpDecorate %color Location 2\nOpDecorate %coord BuiltIn FragCoord\n", variables),
      Stage::fragment);
  CHECK(moved != both);
  const auto unlisted = contract(fragment("%color", "OpDecorate %color Location 1\n", variables), Stage::fragment);
  CHECK(unlisted.count("input built-in 15") == 0);
  CHECK(contract(fragment("%color %coord", "OpDecorate %color Location 1\nOpDecorate %coord Location 0\n", variables),
                 Stage::fragment) == unlisted);
}

TEST_CASE("the contract names bindings and specialization ids", "[support]") {
  const auto lines =
      contract(fragment("", "OpDecorate %t DescriptorSet 2\nOpDecorate %t Binding 3\nOpDecorate %k SpecId 7\n",
                        "%k = OpSpecConstant %float 1\n%sampler = OpTypeSampler\n"
                        "%ptr = OpTypePointer UniformConstant %sampler\n%t = OpVariable %ptr UniformConstant\n"),
               Stage::fragment);
  CHECK(lines.count("binding 2.3 storage class 0") == 1);
  CHECK(lines.count("specialization id 7 opcode 50 t22(32) 1065353216") == 1);
}

}  // namespace
}  // namespace varylink::test
