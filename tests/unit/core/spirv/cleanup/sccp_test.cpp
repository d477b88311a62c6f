#include <algorithm>
#include <vector>

#include "spirv/cleanup/clean_ups.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/step_shader.h"

namespace varylink::spirv {
namespace {

using test::kX;

const std::string kTypes =
    "%uint = OpTypeInt 32 0\n%two = OpConstant %float 2\n%three = OpConstant %float 3\n%k3 = OpConstant %int 3\n"
    "%km1 = OpConstant %int -1\n%u3 = OpConstant %uint 3\n%half = OpConstant %float 0.5\n%tiny = OpConstant %float "
    "0x1p-127\n%spec = OpSpecConstant %float 1\n%false = OpConstantFalse %bool\n"
    "%v2 = OpTypeVector %float 2\n%pair = OpConstantComposite %v2 %two %three\n%nothing = OpConstantNull %v4\n"
    "%int_min = OpConstant %int -2147483648\n";

const std::string kDoubles =
    "%double = OpTypeFloat 64\n%d2 = OpConstant %double 2\n%d3 = OpConstant %double 3\n%d5 = OpConstant %double 5\n"
    "%d0 = OpConstantNull %double\n%dtiny = OpConstant %double 0x1p-1040\n"
    "%dv2 = OpTypeVector %double 2\n%bv2 = OpTypeVector %bool 2\n"
    "%pair3 = OpConstantComposite %dv2 %d3 %d3\n%pair5 = OpConstantComposite %dv2 %d5 %d5\n";

Module folded(const std::string& code) {
  Module module = test::shader(code, {}, kTypes);
  sccp(module);
  return module;
}

// What %v becomes that `value` computes, which is stored after a conversion if it is no float.
void check_value(const std::string& value, const std::string& constant, const std::string& use = "OpStore %o %v\n") {
  INFO(value);
  test::check_listing(folded(kX + "%v = " + value + "\n" + use), constant);
}

const std::string kChoice = "%w = OpSelect %float %v %p %q\nOpStore %o %w\n";
const std::string kFromInt = "%w = OpConvertSToF %float %v\nOpStore %o %w\n";

TEST_CASE("floats are computed where every device gives the same", "[spirv][constants]") {
  check_value("OpFAdd %float %two %three", "OpStore %o %float_5");
  check_value("OpFSub %float %two %three", "OpStore %o %float_n1");
  check_value("OpFMul %float %two %three", "OpStore %o %float_6");
  check_value("OpFDiv %float %three %two", "OpStore %o %float_1_5");
  check_value("OpFNegate %float %two", "OpStore %o %float_n2");
  check_value("OpExtInst %float %glsl FMin %two %three", "OpStore %o %float_2");
  check_value("OpExtInst %float %glsl FMax %two %three", "OpStore %o %float_3");
  check_value("OpExtInst %float %glsl FClamp %half %two %three", "OpStore %o %float_2");
  check_value("OpFOrdLessThan %bool %two %three", "OpSelect %float %true", kChoice);
  check_value("OpFUnordGreaterThanEqual %bool %two %three", "OpSelect %float %false", kChoice);
}

void check_double(const std::string& value, const std::string& constant, const std::string& use) {
  INFO(value);
  Module module = test::shader(kX + "%v = " + value + "\n" + use, {}, kTypes + kDoubles);
  const auto float64 = static_cast<std::uint32_t>(spv::Capability::Float64);
  module.capabilities.push_back(module.create(spv::Op::OpCapability, 0, 0, {lit(float64)}));
  sccp(module);
  test::check_listing(module, constant);
}

TEST_CASE("floats of 64 bits are computed alike", "[spirv][constants]") {
  const std::string is_five = "%e = OpFOrdEqual %bool %v %d5\n%w = OpSelect %float %e %p %q\nOpStore %o %w\n";
  check_double("OpFAdd %double %d2 %d3", "OpSelect %float %true", is_five);
  check_double("OpFSub %double %d2 %d3", "OpSelect %float %false", is_five);
  check_double("OpFMul %double %d2 %d0", "OpSelect %float %false", is_five);
  check_double("OpFNegate %double %d5", "OpSelect %float %false", is_five);
  check_double("OpFDiv %double %d2 %d0", "OpFDiv %double\nOpFOrdEqual", is_five);
  check_double("OpFAdd %double %dtiny %d0", "OpFAdd %double\nOpFOrdEqual", is_five);
  check_double("OpFOrdLessThan %bool %d2 %d3", "OpSelect %float %true", kChoice);
  check_double("OpFOrdLessThan %bool %dtiny %d3", "OpFOrdLessThan %bool", kChoice);
  const std::string are_fives =
      "%sum = OpFAdd %dv2 %v %pair3\n%e = OpFOrdEqual %bv2 %sum %pair5\n%z = OpAll %bool %e\n"
      "%w = OpSelect %float %z %p %q\nOpStore %o %w\n";
  check_double("OpCompositeConstruct %dv2 %d2 %d2", "OpSelect %float %true", are_fives);
  check_double("OpCompositeConstruct %dv2 %d2 %d3", "OpSelect %float %false", are_fives);
}

TEST_CASE("integers wrap, conversions cut off", "[spirv][constants]") {
  check_value("OpIAdd %int %k3 %km1", "OpStore %o %float_2", kFromInt);
  check_value("OpIMul %int %k3 %km1", "OpStore %o %float_n3", kFromInt);
  check_value("OpSDiv %int %four %k3", "OpStore %o %float_1", kFromInt);
  check_value("OpSMod %int %four %k3", "OpStore %o %float_1", kFromInt);
  check_value("OpSRem %int %four %k3", "OpStore %o %float_1", kFromInt);
  check_value("OpExtInst %int %glsl SMin %k3 %km1", "OpStore %o %float_n1", kFromInt);
  check_value("OpExtInst %int %glsl UMin %k3 %km1", "OpStore %o %float_3", kFromInt);
  check_value("OpExtInst %int %glsl SMax %k3 %km1", "OpStore %o %float_3", kFromInt);
  check_value("OpExtInst %int %glsl UMax %k3 %km1", "OpStore %o %float_n1", kFromInt);
  check_value("OpExtInst %int %glsl SClamp %four %km1 %k3", "OpStore %o %float_3", kFromInt);
  check_value("OpExtInst %int %glsl UClamp %k3 %four %km1", "OpStore %o %float_4", kFromInt);
  check_value("OpShiftLeftLogical %int %k3 %k3", "OpStore %o %float_24", kFromInt);
  check_value("OpShiftRightArithmetic %int %km1 %k3", "OpStore %o %float_n1", kFromInt);
  check_value("OpConvertFToS %int %half", "OpStore %o %float_0", kFromInt);
  check_value("OpBitcast %int %u3", "OpBitcast\nOpStore", kFromInt);
  check_value("OpSLessThan %bool %km1 %k3", "OpSelect %float %true", kChoice);
  check_value("OpULessThan %bool %km1 %k3", "OpSelect %float %false", kChoice);
}

TEST_CASE("vectors are computed by components, and taken apart and put together", "[spirv][constants]") {
  const std::string first = "%w = OpCompositeExtract %float %v 0\nOpStore %o %w\n";
  check_value("OpFMul %v2 %pair %pair", "OpStore %o %float_4", first);
  check_value("OpVectorTimesScalar %v2 %pair %three", "OpStore %o %float_6", first);
  check_value("OpVectorShuffle %v4 %pair %pair 1 0 2 3", "OpStore %o %float_3", first);
  check_value("OpCompositeInsert %v4 %three %nothing 1\n%t = OpFAdd %v4 %v %v",
              "OpConstantComposite %v4float %float_0 %float_6 %float_0 %float_0\nOpStore %o %float_6",
              "%w = OpCompositeExtract %float %t 1\nOpStore %o %w\n");
  check_value("OpCompositeConstruct %v4 %pair %two %two\n%t = OpFAdd %v4 %v %x",
              "OpConstantComposite %v4float %float_2 %float_3 %float_2 %float_2\nOpFAdd",
              "%w = OpCompositeExtract %float %t 0\nOpStore %o %w\n");
}

TEST_CASE("a comparison of what is clamped is decided beyond the limits", "[spirv][constants]") {
  const std::string clamp = "%v = OpExtInst %float %glsl FClamp %p %none %one\n";
  test::check_listing(
      folded(kX + clamp + "%c = OpFOrdLessThan %bool %v %two\n%w = OpSelect %float %c %p %q\nOpStore %o %w\n"),
      "OpSelect %float %true");
  test::check_listing(
      folded(kX + clamp + "%c = OpFOrdGreaterThan %bool %none %v\n%w = OpSelect %float %c %p %q\nOpStore %o %w\n"),
      "OpSelect %float %false");
  test::check_listing(
      folded(kX + clamp + "%c = OpFOrdLessThan %bool %v %half\n%w = OpSelect %float %c %p %q\nOpStore %o %w\n"),
      "OpFOrdLessThan\nOpSelect");
}

TEST_CASE("specialization constants, and what is not constant, stay", "[spirv][constants]") {
  check_value("OpFAdd %float %spec %one", "OpFAdd\nOpStore");
  check_value("OpFMul %float %p %none", "OpFMul\nOpStore");
  check_value("OpCompositeConstruct %v4 %one %one %p %one", "OpCompositeConstruct\nOpStore",
              "%w = OpCompositeExtract %float %v 0\nOpStore %o %w\n");
}

TEST_CASE("a variable is not the constant that it starts with", "[spirv][constants]") {
  test::check_listing(folded("%t = OpVariable %local Function %one\n" + kX +
                             "OpStore %t %p\n%l = OpLoad %float %t\n%v = OpFAdd %float %two %three\n"
                             "%w = OpFMul %float %l %v\nOpStore %o %w\n"),
                      "OpVariable %* Function %float_1\nOpLoad\nOpFMul %float %* %float_5");
}

TEST_CASE("only paths that are taken count", "[spirv][constants]") {
  const auto choice = [](const std::string& condition) {
    return kX + "OpSelectionMerge %end None\nOpBranchConditional " + condition +
           " %then %else\n%then = OpLabel\nOpBranch %end\n%else = OpLabel\nOpBranch %end\n%end = OpLabel\n"
           "%v = OpPhi %float %two %then %three %else\n%w = OpFAdd %float %v %one\nOpStore %o %w\n";
  };
  test::check_listing(folded(choice("%true")), "OpBranchConditional\nOpStore %o %float_3");
  test::check_listing(folded(choice("%false")), "OpBranchConditional\nOpStore %o %float_4");
  test::check_listing(folded("%c = OpFOrdLessThan %bool %two %three\n" + choice("%c")), "OpStore %o %float_3");
  Module both = folded(kX + "%c = OpFOrdLessThan %bool %p %q\n" + choice("%c").substr(kX.size()));
  test::check_listing(both, "OpPhi\nOpFAdd\nOpStore");
}

TEST_CASE("a switch on a constant takes one way", "[spirv][constants]") {
  const auto choice = [](const std::string& selector) {
    return "OpSelectionMerge %end None\nOpSwitch " + selector +
           " %other 3 %then\n%then = OpLabel\nOpBranch %end\n%other = OpLabel\nOpBranch %end\n%end = OpLabel\n"
           "%v = OpPhi %float %two %then %three %other\nOpStore %o %v\n";
  };
  test::check_listing(folded(choice("%k3")), "OpStore %o %float_2");
  test::check_listing(folded(choice("%four")), "OpStore %o %float_3");
}

TEST_CASE("what a loop counts is not constant", "[spirv][constants]") {
  test::check_listing(folded(test::loop("OpStore %o %one\nOpBranch %cont\n")), "OpPhi\nOpSLessThan\nOpIAdd");
}

// Drivers do not agree on the mode where they fold themselves, so that no picture can show this.
TEST_CASE("where sums are rounded towards zero only exact ones are folded", "[spirv][constants]") {
  Module module = test::shader(
      kX + "%v = OpFDiv %float %one %three\n%w = OpFAdd %float %one %two\n%t = OpFMul %float %v %w\nOpStore %o %t\n",
      {}, kTypes);
  const Id main = module.operand(module.entry_points.front(), 1).word;
  module.execution_modes.push_back(
      module.create(spv::Op::OpExecutionMode, 0, 0,
                    {id(main), lit(static_cast<std::uint32_t>(spv::ExecutionMode::RoundingModeRTZ)), lit(32)}));
  sccp(module);
  std::vector<spv::Op> left;
  for (const InstRef inst : module.functions.front().blocks.front().body) left.push_back(module[inst].op);
  CHECK(std::count(left.begin(), left.end(), spv::Op::OpFDiv) == 1);
  CHECK(std::count(left.begin(), left.end(), spv::Op::OpFMul) == 1);
  CHECK(std::count(left.begin(), left.end(), spv::Op::OpFAdd) == 0);
}

TEST_CASE("an operand may decide alone", "[spirv][constants]") {
  for (const auto& [value, gives] : {std::pair("OpVectorTimesScalar %v4 %x %none", "OpStore %o %p"),
                                     std::pair("OpIMul %int %n %zero", "OpStore %o %p")}) {
    INFO(value);
    Module module = test::shader(kX + "%n = OpConvertFToS %int %p\n%v = " + value + "\nOpStore %o %p\n", {}, kTypes);
    sccp(module);
    test::check_listing(module, "NOT: " + std::string(value).substr(0, std::string(value).find(' ')) + " \n" + gives);
  }
}

TEST_CASE("what devices may compute differently stays", "[spirv][constants]") {
  for (const std::string value : {"OpFDiv %float %one %none", "OpFAdd %float %tiny %none",
                                  "OpExtInst %float %glsl Exp %one", "OpBitCount %int %k3"}) {
    INFO(value);
    Module module = test::shader(kX + "%n = OpConvertFToS %int %p\n%v = " + value + "\nOpStore %o %p\n", {}, kTypes);
    sccp(module);
    test::check_listing(module, "%* = " + value.substr(0, value.find(' ')));
  }
}

// allows
TEST_CASE("what no device has to compute in one way is one constant", "[spirv][constants]") {
  for (const std::string value : {"OpSDiv %int %four %zero", "OpSDiv %int %int_min %km1",
                                  "OpShiftLeftLogical %int %k3 %km1", "OpSMod %int %km1 %k3", "OpSRem %int %k3 %km1",
                                  "OpSRem %int %k3 %zero", "OpExtInst %int %glsl SClamp %k3 %four %k3"}) {
    INFO(value);
    Module module = test::shader(kX + "%n = OpConvertFToS %int %p\n%v = " + value + "\nOpStore %o %p\n", {}, kTypes);
    sccp(module);
    test::check_listing(module, "NOT: " + value.substr(0, value.find(' ')) + " %int");
  }
}

}  // namespace
}  // namespace varylink::spirv
