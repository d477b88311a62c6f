#include "spirv/tools/table_reader.h"

#include <algorithm>

#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/shader.h"

namespace varylink::spirv {
namespace {

std::vector<std::uint32_t> words_of(const std::string& functions, const std::string& declarations = {},
                                    const std::string& preamble = {}) {
  return write_module(test::module_from_assembly(R"(
               OpCapability Shader
               OpCapability Int64
)" + preamble + R"(
          %1 = OpExtInstImport "GLSL.std.450"
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main "a long name" %in %out
               OpExecutionMode %main OriginUpperLeft
               OpSource GLSL 450
               OpName %main "main"
               OpDecorate %in Location 0
               OpDecorate %out Location 0
               OpDecorate %in Flat
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
        %int = OpTypeInt 32 1
       %long = OpTypeInt 64 1
      %float = OpTypeFloat 32
       %vec4 = OpTypeVector %float 4
   %int_in_t = OpTypePointer Input %int
      %out_t = OpTypePointer Output %vec4
         %in = OpVariable %int_in_t Input
        %out = OpVariable %out_t Output
     %long_7 = OpConstant %long 7
        %one = OpConstant %float 1
       %ones = OpConstantComposite %vec4 %one %one %one %one
)" + declarations + R"(
       %main = OpFunction %void None %fn
      %entry = OpLabel
)" + functions + R"(
               OpFunctionEnd
)"));
}

// Every instruction with its operands, and which of them are ids.
void check_same(const std::vector<std::uint32_t>& words) {
  const std::optional<Module> by_table = read_by_table(words);
  const Result<Module> by_parser = read_module(words, "subject");
  REQUIRE(by_table);
  REQUIRE(by_parser);
  CHECK(write_module(*by_table) == write_module(*by_parser));
  REQUIRE(by_table->inst_count() == by_parser->inst_count());
  for (std::uint32_t i = 0; i < by_table->inst_count(); ++i) {
    const auto a = by_table->operands(InstRef{i}), b = by_parser->operands(InstRef{i});
    INFO("opcode " << static_cast<unsigned>((*by_parser)[InstRef{i}].op));
    CHECK(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  }
}

TEST_CASE("the table of operations divides words as the parser does", "[spirv]") {
  check_same(words_of(R"(
          %a = OpLoad %int %in Volatile|Aligned 4
          %b = OpExtInst %vec4 %1 FMix %ones %ones %ones
          %c = OpVectorShuffle %vec4 %b %ones 0 5 2 7
          %d = OpCompositeExtract %float %c 1
          %e = OpCompositeInsert %vec4 %d %c 3
          %l = OpSConvert %long %a
               OpSelectionMerge %end None
               OpSwitch %a %other 1 %first 2 %second
      %first = OpLabel
               OpStore %out %e
               OpBranch %end
     %second = OpLabel
               OpSelectionMerge %inner None
               OpSwitch %l %inner 4294967297 %deep
       %deep = OpLabel
               OpStore %out %ones Aligned 16
               OpBranch %inner
      %inner = OpLabel
               OpBranch %end
      %other = OpLabel
               OpKill
        %end = OpLabel
               OpReturn
)"));
}

TEST_CASE("an instruction without a row, or whose words the table does not divide, is left to the parser", "[spirv]") {
  const std::string body = "OpBeginInvocationInterlockEXT\nOpEndInvocationInterlockEXT\nOpReturn\n";
  const std::string preamble =
      "OpCapability FragmentShaderPixelInterlockEXT\n"
      "OpExtension \"SPV_EXT_fragment_shader_interlock\"\n";
  CHECK_FALSE(read_by_table(words_of(body, {}, preamble)));
}

TEST_CASE("words that end in an instruction, or name an id beyond the bound, are left to the parser", "[spirv]") {
  std::vector<std::uint32_t> words = words_of("OpReturn\n");
  REQUIRE(read_by_table(words));
  std::vector<std::uint32_t> cut(words.begin(), words.end() - 1);
  cut.back() = 0x00050000u | static_cast<std::uint32_t>(spv::Op::OpLoad);
  CHECK_FALSE(read_by_table(cut));
  words[3] = 3;
  CHECK_FALSE(read_by_table(words));
  CHECK_FALSE(read_by_table(std::span(words).first(3)));
}

}  // namespace
}  // namespace varylink::spirv
