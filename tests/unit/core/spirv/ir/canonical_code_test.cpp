#include "spirv/ir/canonical_code.h"

#include "support/catch.h"
#include "support/shader.h"

namespace varylink::spirv {
namespace {

std::string code_of(const std::string& body) {
  const Module module = test::module_from_assembly(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %main "main" %in %out %kept
    OpDecorate %in Location 0
    OpDecorate %out Location 0
    OpDecorate %kept Location 1
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %float = OpTypeFloat 32
    %pair = OpTypeVector %float 2
    %uint = OpTypeInt 32 0
    %input = OpTypePointer Input %float
    %output = OpTypePointer Output %float
    %in = OpVariable %input Input
    %out = OpVariable %output Output
    %kept = OpVariable %output Output
    %main = OpFunction %void None %function
    %entry = OpLabel
  )" + body + "OpReturn\nOpFunctionEnd\n");
  return canonical_code(module, module.entries().front().function);
}

}  // namespace

TEST_CASE("a load that nothing can change counts once, wherever and however often it stands", "[canonical-code]") {
  const std::string once = code_of(R"(
    %a = OpLoad %float %in
    %sum = OpFAdd %float %a %a
    OpStore %out %sum
  )");
  CHECK(once == code_of(R"(
    %b = OpLoad %float %in
    %a = OpLoad %float %in
    %sum = OpFAdd %float %a %b
    OpStore %out %sum
  )"));
  CHECK(once != code_of(R"(
    %a = OpLoad %float %in
    %sum = OpFMul %float %a %a
    OpStore %out %sum
  )"));
}

TEST_CASE("what computes nothing counts once, wherever and however often it stands", "[canonical-code]") {
  const std::string once = code_of(R"(
    %a = OpLoad %float %in
    %sum = OpFAdd %float %a %a
    %v = OpCompositeConstruct %pair %a %sum
    %b = OpCompositeExtract %float %v 0
    %bits = OpBitcast %uint %b
    %same = OpBitcast %float %bits
    %product = OpFMul %float %b %same
    OpStore %out %product
  )");
  CHECK(once == code_of(R"(
    %a = OpLoad %float %in
    %sum = OpFAdd %float %a %a
    %v = OpCompositeConstruct %pair %a %sum
    %w = OpCompositeConstruct %pair %a %sum
    %b = OpCompositeExtract %float %v 0
    %c = OpCompositeExtract %float %w 0
    %bits = OpBitcast %uint %c
    %same = OpBitcast %float %bits
    %product = OpFMul %float %b %same
    OpStore %out %product
  )"));
  CHECK(once != code_of(R"(
    %a = OpLoad %float %in
    %sum = OpFAdd %float %a %a
    %v = OpCompositeConstruct %pair %a %sum
    %b = OpCompositeExtract %float %v 1
    %bits = OpBitcast %uint %b
    %same = OpBitcast %float %bits
    %product = OpFMul %float %b %same
    OpStore %out %product
  )"));
}

TEST_CASE("loads of what the code writes count each", "[canonical-code]") {
  CHECK(code_of(R"(
    %a = OpLoad %float %kept
    OpStore %kept %a
    %sum = OpFAdd %float %a %a
    OpStore %out %sum
  )") != code_of(R"(
    %a = OpLoad %float %kept
    OpStore %kept %a
    %b = OpLoad %float %kept
    %sum = OpFAdd %float %a %b
    OpStore %out %sum
  )"));
}

}  // namespace varylink::spirv
