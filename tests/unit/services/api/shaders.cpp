#include "shaders.h"

#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace api_test {
namespace {

constexpr const char* kVertex = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Vertex %main "main" %position %color %spare %builtins
               OpName %color "color"
               OpName %spare "spare"
               OpDecorate %position Location 0
               OpDecorate %color Location 0
               OpDecorate %spare Location 1
               OpDecorate %PerVertex Block
               OpMemberDecorate %PerVertex 0 BuiltIn Position
       %void = OpTypeVoid
   %function = OpTypeFunction %void
      %float = OpTypeFloat 32
       %vec4 = OpTypeVector %float 4
        %int = OpTypeInt 32 1
     %int_0 = OpConstant %int 0
  %PerVertex = OpTypeStruct %vec4
   %in_vec4 = OpTypePointer Input %vec4
  %out_vec4 = OpTypePointer Output %vec4
 %out_block = OpTypePointer Output %PerVertex
   %position = OpVariable %in_vec4 Input
      %color = OpVariable %out_vec4 Output
      %spare = OpVariable %out_vec4 Output
   %builtins = OpVariable %out_block Output
       %main = OpFunction %void None %function
      %label = OpLabel
          %p = OpLoad %vec4 %position
        %sum = OpFAdd %vec4 %p %p
               OpStore %color %sum
               OpStore %spare %p
      %place = OpAccessChain %out_vec4 %builtins %int_0
               OpStore %place %p
               OpReturn
               OpFunctionEnd
)";

constexpr const char* kFragment = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main "main" %color %target
               OpExecutionMode %main OriginUpperLeft
               OpName %color "color"
               OpDecorate %color Location LOCATION
               OpDecorate %target Location 0
       %void = OpTypeVoid
   %function = OpTypeFunction %void
      %float = OpTypeFloat 32
       %vec2 = OpTypeVector %float 2
       %vec4 = OpTypeVector %float 4
   %in_vec4 = OpTypePointer Input %vec4
  %out_vec2 = OpTypePointer Output %vec2
      %color = OpVariable %in_vec4 Input
     %target = OpVariable %out_vec2 Output
       %main = OpFunction %void None %function
      %label = OpLabel
          %c = OpLoad %vec4 %color
         %xy = OpVectorShuffle %vec2 %c %c 0 1
               OpStore %target %xy
               OpReturn
               OpFunctionEnd
)";

Words assembled(std::string text, const std::string& location) {
  constexpr std::string_view kPlace = "LOCATION";
  if (const std::size_t at = text.find(kPlace); at != std::string::npos) text.replace(at, kPlace.size(), location);
  const auto words = varylink::spirv::assemble(text, varylink::spirv::TargetEnv::vulkan1_0, "test");
  if (!words) FAIL(words.error().message);
  return *words;
}

}  // namespace

Words vertex_words() { return assembled(kVertex, ""); }
Words fragment_words() { return assembled(kFragment, "0"); }
Words strange_fragment_words() { return assembled(kFragment, "5"); }

}  // namespace api_test
