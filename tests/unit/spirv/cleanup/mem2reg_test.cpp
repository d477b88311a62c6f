#include "spirv/cleanup/mem2reg.h"

#include "support/catch.h"
#include "support/step_shader.h"

namespace varylink::spirv {
namespace {

using test::kIf;
using test::kX;
using test::loop;

void check_promoted(const std::string& code, const std::string& checks, const std::string& annotations = {},
                    const std::string& types = {}) {
  Module module = test::shader(code, annotations, types);
  mem2reg(module);
  test::check_listing(module, checks);
}

const std::string kNoLocal = "NOT: OpVariable %_ptr_Function\n";

TEST_CASE("a load is what was stored last in its block", "[spirv][locals]") {
  check_promoted(
      "%t = OpVariable %local Function\n%w = OpVariable %local Function\n" + kX +
          "OpStore %t %p\n%l = OpLoad %float %t\n%m = OpFAdd %float %l %q\nOpStore %t %m\n"
          "%n = OpLoad %float %t\nOpStore %w %n\n%r = OpLoad %float %w\n%v = OpFMul %float %r %l\nOpStore %o %v\n",
      kNoLocal + "%m = OpFAdd %float %p %q\nOpFMul %float %m %p");
}

TEST_CASE("a load behind a branch is what the only store left", "[spirv][locals]") {
  check_promoted("%t = OpVariable %local Function\n" + kX + "OpStore %t %p\n" + kIf +
                     "%then = OpLabel\n%l = OpLoad %float %t\nOpStore %o %l\nOpBranch %end\n%end = OpLabel\n",
                 kNoLocal + "OpStore %o %p");
}

TEST_CASE("what paths store differently is a phi where they meet", "[spirv][locals]") {
  const std::string then = "%then = OpLabel\nOpStore %t %p\nOpBranch %end\n%end = OpLabel\n";
  const std::string read = "%l = OpLoad %float %t\nOpStore %o %l\n";
  check_promoted("%t = OpVariable %local Function\n" + kX + kIf + then + read,
                 kNoLocal + "%* = OpUndef %float\nOpPhi %float %* %* %p %*\nOpStore %o");
  check_promoted("%t = OpVariable %local Function\n" + kX + "OpStore %t %q\n" + kIf + then + read,
                 kNoLocal + "OpPhi %float %q %* %p %*\nOpStore %o");
  // Not where nobody reads it, and not where both are the same.
  check_promoted("%t = OpVariable %local Function\n" + kX + "OpStore %t %q\n" + kIf + then, kNoLocal + "NOT: OpPhi");
  check_promoted("%t = OpVariable %local Function\n" + kX + "OpStore %t %p\n" + kIf + then + read,
                 kNoLocal + "NOT: OpPhi\nOpStore %o %p");
}

TEST_CASE("an initializer is what is stored first", "[spirv][locals]") {
  check_promoted("%t = OpVariable %local Function %one\n" + kX + kIf +
                     "%then = OpLabel\nOpStore %t %p\nOpBranch %end\n%end = OpLabel\n%l = OpLoad %float %t\n"
                     "OpStore %o %l\n",
                 kNoLocal + "OpPhi %float %float_1 %* %p %*\nOpStore %o");
}

TEST_CASE("what a loop changes is a phi in its header", "[spirv][locals]") {
  check_promoted("%t = OpVariable %local Function\n%w = OpVariable %local Function\n" + kX +
                     "OpStore %t %p\nOpStore %w %q\n" +
                     loop("%l = OpLoad %float %t\n%k = OpLoad %float %w\n%m = OpFAdd %float %l %k\nOpStore %t %m\n"
                          "OpBranch %cont\n") +
                     "%r = OpLoad %float %t\nOpStore %o %r\n",
                 kNoLocal + "COUNT 2: OpPhi\nOpPhi %float %p %* %m %*\n%m = OpFAdd %float %* %q\nOpStore %o");
}

TEST_CASE("what is loaded before anything was stored is undefined", "[spirv][locals]") {
  check_promoted(
      "%t = OpVariable %local Function\n" + kX +
          "%l = OpLoad %float %t\n%r = OpFAdd %float %l %p\nOpStore %t %r\n%m = OpLoad %float %t\nOpStore %o %m\n",
      kNoLocal + "= OpUndef %float\nOpFAdd %float");
}

TEST_CASE("parts at constant indices are inserted and extracted", "[spirv][locals]") {
  check_promoted("%t = OpVariable %local_v4 Function\n" + kX +
                     "OpStore %t %x\n%part = OpAccessChain %local %t %zero\nOpStore %part %q\n"
                     "%l = OpLoad %v4 %t\n%r = OpCompositeExtract %float %l 0\nOpStore %o %r\n",
                 kNoLocal + "NOT: OpAccessChain\nOpCompositeInsert %v4float %q\nOpCompositeExtract");
  // Also on both sides of a branch, where the rest is kept; and along a path of several steps.
  const std::string types =
      "%pair = OpTypeStruct %v4 %float\n%local_pair = OpTypePointer Function %pair\n%k1 = OpConstant %int 1\n";
  check_promoted("%t = OpVariable %local_pair Function\n" + kX +
                     "%front = OpAccessChain %local_v4 %t %zero\nOpStore %front %x\n" + kIf +
                     "%then = OpLabel\n%part = OpAccessChain %local %front %k1\nOpStore %part %p\nOpBranch %end\n"
                     "%end = OpLabel\n%back = OpAccessChain %local %t %zero %k1\n%l = OpLoad %float %back\n"
                     "OpStore %o %l\n",
                 kNoLocal +
                     "OpCompositeInsert %* %* %* 0\nOpCompositeInsert %* %p %* 0 1\nOpPhi\n"
                     "OpCompositeExtract %float %* 0 1",
                 {}, types);
}

TEST_CASE("locals that are volatile, or indexed by what is not constant, stay in memory", "[spirv][locals]") {
  check_promoted(
      "%t = OpVariable %local Function\n" + kX + "OpStore %t %p\n%l = OpLoad %float %t Volatile\nOpStore %o %l\n",
      "OpVariable %_ptr_Function\nVolatile");
  const std::string at = "%n = OpConvertFToS %int %p\n%part = OpAccessChain %local %t %n\n";
  check_promoted("%t = OpVariable %local_v4 Function\n" + kX + at +
                     "OpStore %part %q\n%l = OpLoad %v4 %t\n%r = OpCompositeExtract %float %l 0\nOpStore %o %r\n",
                 "OpVariable %_ptr_Function\nOpStore\nOpLoad %v4float");
}

TEST_CASE("locals whose address goes elsewhere stay in memory", "[spirv][locals]") {
  check_promoted("%t = OpVariable %local Function\n" + kX +
                     "%f = OpExtInst %float %glsl Modf %p %t\n%l = OpLoad %float %t\n%m = OpFAdd %float %l %f\n"
                     "OpStore %o %m\n",
                 "OpVariable %_ptr_Function\nModf\nOpLoad %float\nOpStore %o");
}

TEST_CASE("a phi is of relaxed precision if the variable was, and says so of no other", "[spirv][locals]") {
  const std::string code = "%t = OpVariable %local Function\n" + kX + "OpStore %t %q\n" + kIf +
                           "%then = OpLabel\nOpStore %t %p\nOpBranch %end\n%end = OpLabel\n%l = OpLoad %float %t\n"
                           "OpStore %o %l\n";
  check_promoted(code, "COUNT 1: RelaxedPrecision\nOpPhi", "OpDecorate %t RelaxedPrecision\n");
  check_promoted(code, "NOT: RelaxedPrecision\nOpPhi");
}

TEST_CASE("a value takes on what a load of it was obliged to", "[spirv][locals]") {
  check_promoted("%t = OpVariable %local Function\n" + kX + "OpStore %t %p\n%l = OpLoad %float %t\nOpStore %o %l\n",
                 "OpDecorate %p NoContraction\nOpStore %o %p", "OpDecorate %l NoContraction\n");
}

}  // namespace
}  // namespace varylink::spirv
