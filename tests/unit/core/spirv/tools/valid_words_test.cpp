#include "spirv/tools/valid_words.h"

#include "spirv/tools/tools.h"
#include "support/catch.h"

using namespace varylink;
using namespace varylink::spirv;

TEST_CASE("valid words: the validator looks at equal words once, for each of its options", "[spirv]") {
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
  KeptValidWords known;
  ValidatorOptions options;
  for (int i = 0; i < 3; ++i) CHECK(validate(*words, options, "", {&known, Stage::vertex}));
  CHECK(known.use().asked == 3);
  CHECK(known.use().known == 2);
  options.scalar_block_layout = true;
  CHECK(validate(*words, options, "", {&known, Stage::vertex}));
  CHECK(known.use().known == 2);
  auto broken = *words;
  broken.pop_back();
  for (int i = 0; i < 2; ++i) CHECK_FALSE(validate(broken, options, "", {&known, Stage::vertex}));
  CHECK(known.use().known == 2);
}
