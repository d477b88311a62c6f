#include "link/rules/contract_effects.h"

#include "link/rules/contract_check.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::link {
namespace {

// A fragment shader that samples an image of an array, derives and stores. `decoration` and `code` go into it.
std::string shader(const std::string& decoration, const std::string& code) {
  return R"(
OpCapability Shader
OpCapability ShaderNonUniform
OpCapability RuntimeDescriptorArray
OpCapability SampledImageArrayNonUniformIndexing
OpExtension "SPV_EXT_descriptor_indexing"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %index %coord %color %images %log
OpExecutionMode %main OriginUpperLeft
OpDecorate %index Location 0
OpDecorate %index Flat
OpDecorate %coord Location 1
OpDecorate %color Location 0
OpDecorate %images DescriptorSet 0
OpDecorate %images Binding 3
OpDecorate %log DescriptorSet 0
OpDecorate %log Binding 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
)" + decoration +
         R"(
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%v2 = OpTypeVector %float 2
%v4 = OpTypeVector %float 4
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%array = OpTypeRuntimeArray %sampled
%block = OpTypeStruct %float
%p_array = OpTypePointer UniformConstant %array
%p_sampled = OpTypePointer UniformConstant %sampled
%p_block = OpTypePointer StorageBuffer %block
%p_float = OpTypePointer StorageBuffer %float
%p_int = OpTypePointer Input %int
%p_v2 = OpTypePointer Input %v2
%p_v4 = OpTypePointer Output %v4
%zero = OpConstant %int 0
%one = OpConstant %float 1
%images = OpVariable %p_array UniformConstant
%log = OpVariable %p_block StorageBuffer
%index = OpVariable %p_int Input
%coord = OpVariable %p_v2 Input
%color = OpVariable %p_v4 Output
%main = OpFunction %void None %fn
%start = OpLabel
%i = OpLoad %int %index
%at = OpLoad %v2 %coord
%place = OpAccessChain %p_sampled %images %i
%picture = OpLoad %sampled %place
%entry = OpAccessChain %p_float %log %zero
)" + code +
         R"(
OpReturn
OpFunctionEnd
)";
}

constexpr const char* kNonUniform = "OpDecorate %picture NonUniform";
const std::string kSample = "%texel = OpImageSampleImplicitLod %v4 %picture %at\nOpStore %color %texel\n";
const std::string kStore = "OpStore %entry %one\n";

spirv::Module module_of(const std::string& text) {
  const auto words = spirv::assemble(text, spirv::TargetEnv::vulkan1_2, "shader");
  REQUIRE(words);
  auto module = spirv::read_module(*words, "shader");
  REQUIRE(module);
  return std::move(*module);
}

// What the check says of a stage that linking made of another one.
std::string difference(const std::string& before, const std::string& after) {
  const spirv::Module original = module_of(before), linked = module_of(after);
  const auto a = view_of(original, Stage::fragment, "main", "shader"),
             b = view_of(linked, Stage::fragment, "main", "shader");
  REQUIRE((a && b));
  std::string messages;
  for (const Diagnostic& each : check_contract(*a, *b)) messages += each.message + "\n";
  return messages;
}

TEST_CASE("a stage with the same effects keeps its contract", "[contract]") {
  CHECK(difference(shader(kNonUniform, kSample + kStore), shader(kNonUniform, kSample + kStore)).empty());
  // What is merged with something NonUniform may become that.
  CHECK(difference(shader("", kSample + kStore), shader(kNonUniform, kSample + kStore)).empty());
}

TEST_CASE("an image that is no longer NonUniform breaks the contract", "[contract]") {
  const std::string messages = difference(shader(kNonUniform, kSample), shader("", kSample));
  CHECK(messages.find("ImageSampleImplicitLod of descriptor set 0 binding 3") != std::string::npos);
}

TEST_CASE("more samples, other image operands and other memory operands break the contract", "[contract]") {
  const std::string twice = "%again = OpImageSampleImplicitLod %v4 %picture %at\n";
  CHECK_FALSE(difference(shader("", kSample), shader("", twice + kSample)).empty());
  const std::string biased = "%texel = OpImageSampleImplicitLod %v4 %picture %at Bias %one\nOpStore %color %texel\n";
  CHECK_FALSE(difference(shader("", kSample), shader("", biased)).empty());
  CHECK_FALSE(difference(shader("", kStore), shader("", "OpStore %entry %one Volatile\n")).empty());
  // Fewer are dead ones.
  CHECK(difference(shader("", twice + kSample), shader("", kSample)).empty());
}

TEST_CASE("a store to a buffer that always ran stays", "[contract]") {
  const std::string messages = difference(shader("", kSample + kStore), shader("", kSample));
  CHECK(messages.find("linking lost an instruction that always runs: Store of descriptor set 0 binding 4") !=
        std::string::npos);
}

// The shader with an array of two images, from which it chooses by `index`.
std::string choosing(const std::string& index) {
  std::string text = shader("", kSample);
  const auto replace = [&](const std::string& old, const std::string& with) {
    const std::size_t at = text.find(old);
    REQUIRE(at != std::string::npos);
    text.replace(at, old.size(), with);
  };
  replace("%array = OpTypeRuntimeArray %sampled", "%two = OpConstant %int 2\n%array = OpTypeArray %sampled %two");
  replace("%images %i\n", "%images " + index + "\n");
  return text;
}

// allows: R-4.13
// forbids: R-4.13
TEST_CASE("a descriptor behind the end of its array breaks the contract", "[contract]") {
  CHECK(difference(choosing("%zero"), choosing("%zero")).empty());
  const std::string messages = difference(choosing("%zero"), choosing("%two"));
  CHECK(messages.find("descriptor set 0 binding 3 element 2, behind the end of the array") != std::string::npos);
  CHECK(difference(choosing("%two"), choosing("%two")).empty());
  // Of an unrolled loop, behind a branch perhaps.
  CHECK(difference(choosing("%i"), choosing("%two")).empty());
}

}  // namespace
}  // namespace varylink::link
