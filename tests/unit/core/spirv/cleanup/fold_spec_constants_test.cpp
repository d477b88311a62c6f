// Operations on specialization constants that have got their values, assembly in, assembly out.
#include "spirv/cleanup/clean_ups.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"
#include "support/listing_check.h"

namespace varylink::spirv {
namespace {

// What the module with these constants becomes.
std::string folded(const std::string& constants) {
  const std::string text =
      "OpCapability Shader\nOpCapability Int64\nOpCapability Int16\nOpCapability Int8\nOpCapability Float64\n"
      "OpCapability Float16\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\"\n"
      "OpName %r \"r\"\nOpName %open \"open\"\nOpDecorate %open SpecId 7\n"
      "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%int = OpTypeInt 32 1\n"
      "%uint = OpTypeInt 32 0\n%long = OpTypeInt 64 1\n%short = OpTypeInt 16 1\n%byte = OpTypeInt 8 0\n"
      "%float = OpTypeFloat 32\n%double = OpTypeFloat 64\n%half = OpTypeFloat 16\n%v2 = OpTypeVector %int 2\n"
      "%i3 = OpConstant %int 3\n%i40 = OpConstant %int 40\n%n5 = OpConstant %int -5\n%i0 = OpConstant %int 0\n"
      "%l2 = OpConstant %long 3\n%u300 = OpConstant %uint 300\n%open = OpSpecConstant %int 1\n" +
      constants + "\n%main = OpFunction %void None %fn\n%start = OpLabel\nOpReturn\nOpFunctionEnd\n";
  const auto words = assemble(text, TargetEnv::vulkan1_3, "test");
  INFO((words ? std::string() : render(words.error())));
  REQUIRE(words);
  Result<Module> module = read_module(*words, "test");
  REQUIRE(module);
  fold_spec_constants(*module);
  const std::vector<std::uint32_t> result = write_module(*module);
  CHECK(validate(result, {TargetEnv::vulkan1_3, false, false, false, false, false}, "test"));
  return disassemble(result);
}

void check(const std::string& constants, const std::string& checks) {
  const std::string listing = folded(constants);
  INFO(constants << "\n" << listing);
  CHECK(test::failed_checks(listing, checks) == "");
}

TEST_CASE("integers of every width are folded", "[spirv][spec-constants]") {
  check("%r = OpSpecConstantOp %int ShiftLeftLogical %i3 %i3", "%r = OpConstant %int 24");
  check("%r = OpSpecConstantOp %int SDiv %n5 %i3", "%r = OpConstant %int -1");
  check("%l = OpConstant %long 1099511627776\n%r = OpSpecConstantOp %long IMul %l %l2",
        "%r = OpConstant %long 3298534883328");
  check("%s = OpConstant %short 30000\n%r = OpSpecConstantOp %short IAdd %s %s", "%r = OpConstant %short -5536");
  check("%b = OpConstant %byte 200\n%r = OpSpecConstantOp %byte IAdd %b %b", "%r = OpConstant %uchar 144");
}

TEST_CASE("numbers are converted", "[spirv][spec-constants]") {
  check("%r = OpSpecConstantOp %long SConvert %n5", "%r = OpConstant %long -5");
  check("%r = OpSpecConstantOp %byte UConvert %u300", "%r = OpConstant %uchar 44");
  check("%f = OpConstant %float 0.1\n%r = OpSpecConstantOp %double FConvert %f",
        "%r = OpConstant %double 0.1000000014");
  check("%f = OpConstant %float 1.5\n%r = OpSpecConstantOp %half FConvert %f", "%r = OpConstant %half 0x1.8p+0");
}

TEST_CASE("comparisons, choices and composites are folded", "[spirv][spec-constants]") {
  check("%r = OpSpecConstantOp %bool SLessThan %n5 %i3", "%r = OpConstantTrue %bool");
  check("%c = OpSpecConstantOp %bool ULessThan %n5 %i3\n%r = OpSpecConstantOp %int Select %c %i3 %i40",
        "%r = OpConstant %int 40");
  check("%c = OpSpecConstantComposite %v2 %i3 %i40\n%r = OpSpecConstantOp %int CompositeExtract %c 1",
        "OpConstantComposite %v2int %int_3\n%r = OpConstant %int 40");
  check("%c = OpSpecConstantComposite %v2 %i3 %i40\n%r = OpSpecConstantOp %v2 IAdd %c %c",
        "OpConstant %int 6\nOpConstant %int 80\n%r = OpConstantComposite %v2int");
}

TEST_CASE("what is open stays", "[spirv][spec-constants]") {
  check("%r = OpSpecConstantOp %int IAdd %open %i3", "%r = OpSpecConstantOp %int IAdd %open");
  check("%c = OpSpecConstantComposite %v2 %i3 %open\n%r = OpSpecConstantOp %int CompositeExtract %c 0",
        "OpSpecConstantComposite\n%r = OpSpecConstantOp");
}

TEST_CASE("what is undefined gets a value, where two's complement has one that", "[spirv][spec-constants]") {
  check("%r = OpSpecConstantOp %int SDiv %i3 %i0", "%r = OpConstant %int -1");
  const std::string operands = "%least = OpConstant %int -2147483648\n%m1 = OpConstant %int -1\n";
  check(operands + "%r = OpSpecConstantOp %int SDiv %least %m1", "%r = OpConstant %int -2147483648");
  check(operands + "%r = OpSpecConstantOp %int SRem %least %m1", "%r = OpConstant %int 0");
}

TEST_CASE("constants that were needed on the way do not stay", "[spirv][spec-constants]") {
  check("%a = OpSpecConstantOp %int IAdd %i3 %i40\n%r = OpSpecConstantOp %int IAdd %a %i40",
        "%r = OpConstant %int 83\nCOUNT 1: OpConstant %int 43\nCOUNT 1: OpConstant %int 83");
}

}  // namespace
}  // namespace varylink::spirv
