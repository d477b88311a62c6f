#include "spirv/cleanup/sroa.h"

#include "support/catch.h"
#include "support/step_shader.h"

namespace varylink::spirv {
namespace {

using test::kX;

const std::string kTypes =
    "%pair = OpTypeStruct %v4 %float\n%outer = OpTypeStruct %pair %float\n%local_pair = OpTypePointer Function %pair\n"
    "%local_outer = OpTypePointer Function %outer\n%local_floats = OpTypePointer Function %floats\n"
    "%k1 = OpConstant %int 1\n%vnone = OpConstantComposite %v4 %none %none %none %none\n"
    "%start_pair = OpConstantComposite %pair %vnone %one\n%nothing = OpConstantNull %outer\n"
    "%many = OpConstant %int 65\n%long = OpTypeArray %float %many\n%local_long = OpTypePointer Function %long\n";

void check_split(const std::string& code, const std::string& checks, const std::string& annotations = {}) {
  Module module = test::shader(code, annotations, kTypes);
  sroa(module);
  test::check_listing(module, checks);
}

TEST_CASE("members that are used become variables", "[spirv][split]") {
  check_split(
      "%t = OpVariable %local_pair Function\n" + kX +
          "%part = OpAccessChain %local %t %zero %k1\nOpStore %part %p\n%l = OpLoad %float %part\nOpStore %o %l\n",
      "COUNT 1: OpVariable %_ptr_Function\nOpVariable %_ptr_Function_v4float\n"
      "OpAccessChain %_ptr_Function_float %* %int_1\nOpStore\nOpLoad\nOpStore %o");
}

TEST_CASE("structures in structures fall apart, too; what starts with zero goes on doing so", "[spirv][split]") {
  check_split("%t = OpVariable %local_outer Function %nothing\n" + kX +
                  "%part = OpAccessChain %local %t %zero %k1\n%l = OpLoad %float %part\nOpStore %o %l\n",
              "COUNT 1: OpVariable %_ptr_Function\nOpConstantNull %float\nOpVariable %_ptr_Function_float Function %*\n"
              "NOT: OpAccessChain\nOpLoad %float\nOpStore %o");
  check_split("%t = OpVariable %local_pair Function %start_pair\n" + kX +
                  "%part = OpAccessChain %local %t %k1\n%l = OpLoad %float %part\nOpStore %o %l\n",
              "OpVariable %_ptr_Function_float Function %float_1\nOpLoad %float\nOpStore %o");
}

TEST_CASE("the whole is loaded and stored part by part", "[spirv][split]") {
  check_split("%t = OpVariable %local_pair Function\n%w = OpVariable %local_pair Function\n" + kX +
                  "%c = OpCompositeConstruct %pair %x %p\nOpStore %t %c\n%l = OpLoad %pair %t\nOpStore %w %l\n"
                  "%part = OpAccessChain %local %w %k1\n%m = OpLoad %float %part\nOpStore %o %m\n",
              "COUNT 4: OpVariable %_ptr_Function\nOpCompositeExtract %v4float\nOpStore\nOpCompositeExtract %float\n"
              "OpStore\nOpLoad %v4float\nOpLoad %float\nOpCompositeConstruct");
}

TEST_CASE("arrays split if all indices are constant", "[spirv][split]") {
  const std::string store = "%part = OpAccessChain %local %t %k1\nOpStore %part %p\n";
  check_split("%t = OpVariable %local_floats Function\n" + kX + store + "%l = OpLoad %float %part\nOpStore %o %l\n",
              "COUNT 1: OpVariable %_ptr_Function\nOpVariable %_ptr_Function_float\nNOT: OpAccessChain");
  check_split(
      "%t = OpVariable %local_floats Function\n" + kX + store +
          "%n = OpConvertFToS %int %q\n%at = OpAccessChain %local %t %n\n%l = OpLoad %float %at\nOpStore %o %l\n",
      "OpVariable %_ptr_Function__arr\nCOUNT 2: OpAccessChain");
}

TEST_CASE("volatile variables stay whole", "[spirv][split]") {
  check_split("%t = OpVariable %local_pair Function\n" + kX +
                  "%c = OpCompositeConstruct %pair %x %p\nOpStore %t %c Volatile\n%part = OpAccessChain %local %t %k1\n"
                  "%m = OpLoad %float %part\nOpStore %o %m\n",
              "OpVariable %_ptr_Function__struct\nVolatile\nOpAccessChain");
}

TEST_CASE("parts are of relaxed precision if their member is", "[spirv][split]") {
  const std::string code = "%t = OpVariable %local_pair Function\n" + kX +
                           "%a0 = OpAccessChain %local_v4 %t %zero\nOpStore %a0 %x\n%a1 = OpAccessChain %local %t %k1\n"
                           "OpStore %a1 %p\nOpStore %o %p\n";
  check_split(code, "COUNT 1: OpDecorate %* RelaxedPrecision", "OpMemberDecorate %pair 1 RelaxedPrecision\n");
  check_split(code, "COUNT 2: OpDecorate %* RelaxedPrecision", "OpDecorate %t RelaxedPrecision\n");
}

TEST_CASE("of a large array what is used becomes variables", "[spirv][split]") {
  check_split("%t = OpVariable %local_long Function\n" + kX +
                  "%part = OpAccessChain %local %t %k1\nOpStore %part %p\n%l = OpLoad %float %part\nOpStore %o %l\n",
              "COUNT 1: OpVariable %_ptr_Function\nNOT: OpAccessChain");
}

}  // namespace
}  // namespace varylink::spirv
