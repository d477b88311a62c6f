#include "spirv/cleanup/simplify.h"

#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"
#include "support/listing_check.h"

namespace varylink::spirv {
namespace {

// A fragment stage with inputs %a (vec4) and %b (vec2), output %o (vec4) and this code, which defines %v.
std::string simplified(const std::string& code, bool* changed = nullptr) {
  const std::string text =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %a %b %o\n"
      "OpExecutionMode %main OriginUpperLeft\nOpName %a \"a\"\nOpName %b \"b\"\nOpName %o \"o\"\n"
      "OpDecorate %a Location 0\nOpDecorate %b Location 1\nOpDecorate %o Location 0\nOpDecorate %spec SpecId 0\n"
      "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%float = OpTypeFloat 32\n"
      "%int = OpTypeInt 32 1\n%v2 = OpTypeVector %float 2\n%v4 = OpTypeVector %float 4\n%true = OpConstantTrue %bool\n"
      "%false = OpConstantFalse %bool\n%spec = OpSpecConstantTrue %bool\n%one = OpConstant %float 1\n"
      "%in_v4 = OpTypePointer Input %v4\n%in_v2 = OpTypePointer Input %v2\n%out_v4 = OpTypePointer Output %v4\n"
      "%a = OpVariable %in_v4 Input\n%b = OpVariable %in_v2 Input\n%o = OpVariable %out_v4 Output\n"
      "%main = OpFunction %void None %fn\n%l = OpLabel\n%x = OpLoad %v4 %a\n%y = OpLoad %v2 %b\n" +
      code + "OpStore %o %v\nOpReturn\nOpFunctionEnd\n";
  const auto words = assemble(text, TargetEnv::vulkan1_3, "test");
  INFO((words ? std::string() : render(words.error())));
  REQUIRE(words);
  Result<Module> module = read_module(*words, "test");
  REQUIRE(module);
  const bool did = simplify(*module);
  if (changed) *changed = did;
  const std::vector<std::uint32_t> result = write_module(*module);
  const auto valid = validate(result, {}, "test");
  INFO((valid ? std::string() : render(valid.error())));
  CHECK(valid);
  CHECK_FALSE(simplify(*module));
  return disassemble(result);
}

void check(const std::string& code, const std::string& checks) {
  const std::string listing = simplified(code);
  INFO(listing);
  CHECK(test::failed_checks(listing, checks) == "");
}

TEST_CASE("an extract of a construct is the component", "[spirv]") {
  check(
      "%p = OpCompositeExtract %float %x 2\n%w = OpCompositeConstruct %v4 %one %p %one %one\n"
      "%q = OpCompositeExtract %float %w 1\n%v = OpCompositeConstruct %v4 %q %q %q %q\n",
      "OpStore\nNOT: OpCompositeConstruct\n"
      "NOT: OpLoad %v2float\n");
}

TEST_CASE("a vector put together from its own components is the vector", "[spirv]") {
  check(
      "%p = OpCompositeExtract %float %x 0\n%q = OpCompositeExtract %float %x 1\n%r = OpCompositeExtract %float %x 2\n"
      "%s = OpCompositeExtract %float %x 3\n%v = OpCompositeConstruct %v4 %p %q %r %s\n",
      "NOT: OpCompositeConstruct\nNOT: OpCompositeExtract\nNOT: OpVectorShuffle\nOpStore %o");
}

TEST_CASE("what nobody needs goes, component by component", "[spirv]") {
  check(
      "%p = OpCompositeExtract %float %y 0\n%w = OpCompositeConstruct %v4 %p %one %one %one\n"
      "%s = OpFAdd %v4 %w %x\n%q = OpCompositeExtract %float %s 1\n%v = OpCompositeConstruct %v4 %q %q %q %q\n",
      "OpFAdd\nNOT: OpLoad %v2float %b");
}

TEST_CASE("a selection by a constant is what it selects", "[spirv]") {
  const std::string other = "%w = OpVectorShuffle %v4 %y %y 0 1 0 1\n";
  check(other + "%v = OpSelect %v4 %true %x %w\n", "NOT: OpSelect\nNOT: OpLoad %v2float\nOpLoad %v4float");
  check(other + "%v = OpSelect %v4 %false %x %w\n", "NOT: OpSelect\nNOT: OpLoad %v4float\nOpLoad %v2float");
}

TEST_CASE("a selection by a specialization constant stays", "[spirv]") {
  check("%w = OpVectorShuffle %v4 %y %y 0 1 0 1\n%v = OpSelect %v4 %spec %x %w\n",
        "OpLoad %v4float\nOpLoad %v2float\nOpSelect");
}

TEST_CASE("a selection between a value and itself is that value", "[spirv]") {
  check("%v = OpSelect %v4 %spec %x %x\n", "NOT: OpSelect\nOpLoad %v4float");
}

TEST_CASE("any component of a vector of one value is that value", "[spirv]") {
  const std::string index = "%f = OpCompositeExtract %float %y 0\n%i = OpConvertFToS %int %f\n";
  const auto chosen = [&](const std::string& parts) {
    return index + "%w = OpCompositeConstruct %v2 " + parts +
           "\n%c = OpVectorExtractDynamic %float %w %i\n%v = OpCompositeConstruct %v4 %c %c %c %c\n";
  };
  check(chosen("%one %one"), "NOT: OpVectorExtractDynamic\nNOT: OpConvertFToS\nOpStore");
  check(chosen("%f %f"), "NOT: OpVectorExtractDynamic\nOpLoad %v2float");
  check(chosen("%f %one"), "OpVectorExtractDynamic");
}

TEST_CASE("arithmetic is left as it is", "[spirv]") {
  bool changed = true;
  const std::string listing =
      simplified("%w = OpVectorShuffle %v4 %y %y 0 1 0 1\n%s = OpFMul %v4 %x %w\n%v = OpFAdd %v4 %s %x\n", &changed);
  CHECK_FALSE(changed);
  CHECK(test::failed_checks(listing, "OpFMul\nOpFAdd\nOpStore") == "");
}

}  // namespace
}  // namespace varylink::spirv
