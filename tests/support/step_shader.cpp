#include "support/step_shader.h"

#include "spirv/cleanup/simplify.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"
#include "support/listing_check.h"

namespace varylink::test {

using namespace varylink::spirv;

Module shader(const std::string& code, const std::string& annotations, const std::string& types,
              const std::string& functions) {
  const std::string text =
      "OpCapability Shader\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint Fragment %main \"main\" %a %o\nOpExecutionMode %main OriginUpperLeft\n"
      "OpName %a \"a\"\nOpName %o \"o\"\nOpName %p \"p\"\nOpName %q \"q\"\nOpName %m \"m\"\nOpDecorate %a Location "
      "0\nOpDecorate %o Location 0\n"
      "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %floats ArrayStride 16\n"
      "OpDecorate %u DescriptorSet 0\nOpDecorate %u Binding 0\nOpDecorate %buffer BufferBlock\n"
      "OpMemberDecorate %buffer 0 Offset 0\nOpDecorate %s DescriptorSet 0\nOpDecorate %s Binding 1\n" +
      annotations +
      "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%float = OpTypeFloat 32\n"
      "%int = OpTypeInt 32 1\n%v4 = OpTypeVector %float 4\n%zero = OpConstant %int 0\n%four = OpConstant %int 4\n"
      "%count = OpConstant %int 4\n%floats = OpTypeArray %float %count\n%block = OpTypeStruct %floats\n"
      "%buffer = OpTypeStruct %float\n%true = OpConstantTrue %bool\n%none = OpConstant %float 0\n%one = OpConstant "
      "%float 1\n"
      "%local = OpTypePointer Function %float\n%local_v4 = OpTypePointer Function %v4\n"
      "%in_v4 = OpTypePointer Input %v4\n%in_float = OpTypePointer Input %float\n"
      "%out_float = OpTypePointer Output %float\n"
      "%uni_block = OpTypePointer Uniform %block\n%uni_buffer = OpTypePointer Uniform %buffer\n"
      "%uni_float = OpTypePointer Uniform %float\n%a = OpVariable %in_v4 Input\n%o = OpVariable %out_float Output\n"
      "%u = OpVariable %uni_block Uniform\n%s = OpVariable %uni_buffer Uniform\n" +
      types + "%main = OpFunction %void None %fn\n%start = OpLabel\n" + code + "OpReturn\nOpFunctionEnd\n" + functions;
  const auto words = assemble(text, TargetEnv::vulkan1_0, "test");
  INFO((words ? std::string() : render(words.error())));
  REQUIRE(words);
  Result<Module> module = read_module(*words, "test");
  REQUIRE(module);
  return std::move(*module);
}

void check_listing(Module module, const std::string& checks) {
  remove_dangling_annotations(module);
  const std::vector<std::uint32_t> words = write_module(module);
  const auto valid = validate(words, {TargetEnv::vulkan1_3, false, false, false, false, false}, "test");
  const std::string listing = disassemble(words);
  INFO(listing << (valid ? std::string() : render(valid.error())));
  CHECK(valid);
  CHECK(failed_checks(listing, checks) == "");
}

const std::string kX = "%x = OpLoad %v4 %a\n%p = OpCompositeExtract %float %x 0\n%q = OpCompositeExtract %float %x 1\n";
const std::string kIf =
    "%c = OpFOrdLessThan %bool %p %q\nOpSelectionMerge %end None\nOpBranchConditional %c %then %end\n";

std::string loop(const std::string& body) {
  return "OpBranch %head\n%head = OpLabel\n%i = OpPhi %int %zero %start %next %cont\n"
         "OpLoopMerge %end %cont None\nOpBranch %test\n%test = OpLabel\n%c = OpSLessThan %bool %i %four\n"
         "OpBranchConditional %c %body %end\n%body = OpLabel\n" +
         body + "%cont = OpLabel\n%next = OpIAdd %int %i %four\nOpBranch %head\n%end = OpLabel\n";
}

}  // namespace varylink::test
