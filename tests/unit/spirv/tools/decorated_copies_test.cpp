#include "spirv/tools/decorated_copies.h"

#include <string>

#include "spirv/tools/binary.h"
#include "spirv/tools/optimize.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::spirv {
namespace {

// Three times x = x * x; the product is precise, the sum that counts is not decorated.
std::string loop(const std::string& line) {
  return R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %out
OpExecutionMode %main OriginUpperLeft
%file = OpString "a.frag"
OpDecorate %out Location 0
OpDecorate %square NoContraction
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%ptr = OpTypePointer Output %float
%out = OpVariable %ptr Output
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%i3 = OpConstant %int 3
%start = OpConstant %float 1.5
%main = OpFunction %void None %fn
%entry = OpLabel
OpBranch %header
%header = OpLabel
%i = OpPhi %int %i0 %entry %next %body
%x = OpPhi %float %start %entry %square %body
OpLoopMerge %end %body Unroll
OpBranch %test
%test = OpLabel
%more = OpSLessThan %bool %i %i3
OpBranchConditional %more %body %end
%body = OpLabel
)" + line +
         R"(
%square = OpFMul %float %x %x
%next = OpIAdd %int %i %i1
OpBranch %header
%end = OpLabel
OpStore %out %x
OpReturn
OpFunctionEnd
)";
}

std::string unrolled(const std::string& text) {
  const auto words = assemble(text, TargetEnv::vulkan1_0, "test");
  REQUIRE(words);
  const Result<Module> module = read_module(*words, "test");
  REQUIRE(module);
  const CleanUp steps[] = {CleanUp::unroll_marked_loops};
  const std::optional<Module> result = run_clean_up(*module, steps, {});
  REQUIRE(result);
  return disassemble(write_module(*result));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

}  // namespace

TEST_CASE("copies that unrolling makes have the decorations of the original", "[spirv]") {
  const std::string text = unrolled(loop(""));
  CHECK(count(text, "OpLoopMerge") == 0);
  CHECK(count(text, "OpFMul") == 3);
  CHECK(count(text, "NoContraction") == 3);
  CHECK(count(text, "OpLine") == 0);
  CHECK(count(text, "OpNoLine") == 0);
  CHECK(count(text, "OpString") == 1);
}

TEST_CASE("the lines of the source survive beside those that find copies", "[spirv]") {
  const std::string text = unrolled(loop("OpLine %file 7 3"));
  CHECK(count(text, "OpFMul") == 3);
  CHECK(count(text, "NoContraction") == 3);
  CHECK(count(text, "OpLine %") >= 3);
  CHECK(count(text, " 7 3") == count(text, "OpLine %"));
}

}  // namespace varylink::spirv
