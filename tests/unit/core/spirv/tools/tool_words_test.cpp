#include "spirv/tools/tool_words.h"

#include <array>

#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::spirv {
namespace {

constexpr const char* kModule = R"(
OpCapability Shader
OpExtension "SPV_KHR_storage_buffer_storage_class"
OpExtension "SPV_KHR_float_controls"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %out
OpExecutionMode %main OriginUpperLeft
OpSource GLSL 450
OpSource HLSL 600
OpDecorate %in Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%input = OpTypePointer Input %float
%output = OpTypePointer Output %float
%local = OpTypePointer Function %float
%in = OpVariable %input Input
%out = OpVariable %output Output
%main = OpFunction %void None %fn
%start = OpLabel
%unread = OpVariable %local Function
%value = OpLoad %float %in
OpStore %unread %value
OpStore %out %value
OpReturn
OpFunctionEnd
)";

std::vector<std::uint32_t> assembled() {
  const auto words = assemble(kModule, TargetEnv::vulkan1_1, "test");
  REQUIRE(bool(words));
  return *words;
}

// The module in a language with that number, of which SPIRV-Tools need not know anything.
std::vector<std::uint32_t> in_language(std::uint32_t language) {
  Result<Module> module = read_module(assembled(), "test");
  REQUIRE(bool(module));
  restore_languages(*module, std::array{language, 2u});
  return write_module(*module);
}

TEST_CASE("a source language that the tools do not know costs nothing", "[spirv]") {
  for (const std::uint32_t language : {11u, 12u, 4711u}) {
    const std::vector<std::uint32_t> words = in_language(language);
    CHECK(source_languages(words) == std::vector<std::uint32_t>{language, 2});
    const Result<Module> module = read_module(words, "test");
    REQUIRE(bool(module));
    CHECK(write_module(*module) == words);
    CHECK(bool(validate(words, {}, "test")));
    CHECK_FALSE(disassemble(words).empty());
  }
}

}  // namespace
}  // namespace varylink::spirv
