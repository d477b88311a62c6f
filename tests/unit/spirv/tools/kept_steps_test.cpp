#include "spirv/tools/kept_steps.h"

#include "spirv/tools/tools.h"
#include "support/catch.h"

using namespace varylink;
using namespace varylink::spirv;

TEST_CASE("kept steps: the oldest modules go, and what is valid stays valid", "[spirv]") {
  KeptSteps steps(1000);
  CHECK_FALSE(steps.load(Stage::vertex, "valid"));
  steps.store("valid", "");
  steps.store("first", std::string(600, 'a'));
  steps.store("first", std::string(600, 'b'));
  CHECK(steps.load(Stage::vertex, "first") == std::string(600, 'a'));
  steps.store("second", std::string(300, 'c'));
  CHECK(steps.load(Stage::vertex, "first"));
  steps.store("third", std::string(200, 'd'));
  CHECK_FALSE(steps.load(Stage::vertex, "first"));
  CHECK(steps.load(Stage::fragment, "second"));
  CHECK(steps.load(Stage::fragment, "third"));
  CHECK(steps.load(Stage::vertex, "valid") == "");
  CHECK(steps.use().asked == 7);
  CHECK(steps.use().known == 5);
}

TEST_CASE("kept steps: the validator looks at equal words once, for each of its options", "[spirv]") {
  const auto words = assemble(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %main "main"
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %main = OpFunction %void None %function
    %label = OpLabel
    OpReturn
    OpFunctionEnd)",
                              TargetEnv::vulkan1_0, "");
  REQUIRE(words);
  KeptSteps steps(1000);
  ValidatorOptions options;
  for (int i = 0; i < 3; ++i) CHECK(validate(*words, options, "", {&steps, Stage::vertex}));
  CHECK(steps.use().known == 2);
  options.scalar_block_layout = true;
  CHECK(validate(*words, options, "", {&steps, Stage::vertex}));
  CHECK(steps.use().known == 2);
  auto broken = *words;
  broken.pop_back();
  for (int i = 0; i < 2; ++i) CHECK_FALSE(validate(broken, options, "", {&steps, Stage::vertex}));
  CHECK(steps.use().known == 2);
}
