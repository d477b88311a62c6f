#include "spirv/tools/tools.h"

#include "spirv/tools/known_issues.h"
#include "support/catch.h"

using namespace varylink;

namespace {

const char* const kFragmentWithIntInput = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main "main" %in
               OpExecutionMode %main OriginUpperLeft
               OpDecorate %in Location 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
        %int = OpTypeInt 32 1
    %ptr_int = OpTypePointer Input %int
         %in = OpVariable %ptr_int Input
       %main = OpFunction %void None %fn
      %label = OpLabel
               OpReturn
               OpFunctionEnd
)";

}  // namespace

TEST_CASE("the rule that the validator names becomes the diagnostic's") {
  const auto words = spirv::assemble(kFragmentWithIntInput, spirv::TargetEnv::vulkan1_3, "a.spvasm");
  REQUIRE(words);
  const auto valid = spirv::validate(*words, {}, "a.spv");
  REQUIRE_FALSE(valid);
  CHECK(valid.error().kind == ErrorKind::invalid_spirv);
  CHECK(valid.error().vuid == "VUID-StandaloneSpirv-Flat-04744");
  CHECK(valid.error().file == "a.spv");
  CHECK(valid.error().message.find("VUID") == std::string::npos);
  CHECK(valid.error().message.find('\n') == std::string::npos);
}

TEST_CASE("assembly that cannot be read is reported with its line") {
  const auto words = spirv::assemble("OpCapability Shader\nOpNonsense\n", spirv::TargetEnv::vulkan1_3, "a.spvasm");
  REQUIRE_FALSE(words);
  CHECK(words.error().kind == ErrorKind::invalid_spirv);
  CHECK(words.error().line == 2);
}

TEST_CASE("a listing is assembled as the version that it states, else as the environment's newest") {
  const auto version = [](const std::string& head, spirv::TargetEnv env) {
    const auto words = spirv::assemble(head + kFragmentWithIntInput, env, "a.spvasm");
    REQUIRE(words);
    return (*words)[1];
  };
  CHECK(version("; SPIR-V\n; Version: 1.3\n; Bound: 9\n", spirv::TargetEnv::vulkan1_3) == 0x00010300);
  CHECK(version("; SPIR-V\n;  Version:1.5\n", spirv::TargetEnv::vulkan1_0) == 0x00010500);
  CHECK(version("", spirv::TargetEnv::vulkan1_0) == 0x00010000);
  CHECK(version("", spirv::TargetEnv::vulkan1_3) == 0x00010600);
  CHECK(version("; Version: 7.9\n", spirv::TargetEnv::vulkan1_1) == 0x00010300);
}

TEST_CASE("an issue of the validator is known by the release that fixed it") {
  const spirv::KnownIssue issue{"", "2024.4", "", nullptr};
  for (const char* old : {"v2023.1", "v2024.3", "v2024.3.rc1", "2019.4-dev"}) CHECK(spirv::has_issue(old, issue));
  for (const char* newer : {"v2024.4", "v2025.1", "v2024.10", "", "unknown"})
    CHECK_FALSE(spirv::has_issue(newer, issue));
}

TEST_CASE("disassembly shows names and can be assembled again to the same words") {
  const auto words = spirv::assemble(kFragmentWithIntInput, spirv::TargetEnv::vulkan1_3, "a.spvasm");
  REQUIRE(words);
  const std::string text = spirv::disassemble(*words);
  CHECK(text.find("OpEntryPoint Fragment") != std::string::npos);
  CHECK(text.find("; Version") == std::string::npos);
  CHECK(spirv::assemble(text, spirv::TargetEnv::vulkan1_3, "b.spvasm"));
  CHECK(spirv::disassemble(std::vector<std::uint32_t>{1, 2, 3}).empty());
}

TEST_CASE("target environments have the names that other tools use") {
  for (const char* name : {"vulkan1.0", "vulkan1.1", "vulkan1.1spv1.4", "vulkan1.2", "vulkan1.3"}) {
    const auto env = spirv::target_env_from_name(name);
    REQUIRE(env);
    CHECK(spirv::name_of(*env) == name);
  }
  CHECK_FALSE(spirv::target_env_from_name("opengl4.5"));
}
