#include "spirv/cleanup/merge_returns.h"

#include "spirv/cleanup/inline_calls.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/step_shader.h"

namespace varylink::spirv {
namespace {

using test::kX;

const std::string kTypes = "%f1 = OpTypeFunction %float %float\n";
const std::string kStart =
    "%early = OpFunction %float None %f1\n%e_p = OpFunctionParameter %float\n%e_start = OpLabel\n";
const std::string kTest = "%e_c = OpFOrdLessThan %bool %e_p %one\n";

// Returns 1 where its parameter is smaller.
const std::string kFromSelection =
    kStart + "%e_v = OpVariable %local Function\n" + kTest +
    "OpSelectionMerge %e_end None\nOpBranchConditional %e_c %e_then %e_end\n%e_then = OpLabel\nOpReturnValue %one\n"
    "%e_end = OpLabel\n%e_r = OpFAdd %float %e_p %e_p\nOpReturnValue %e_r\nOpFunctionEnd\n";
// Returns in both arms.
const std::string kFromBothArms =
    kStart + kTest +
    "OpSelectionMerge %e_end None\nOpBranchConditional %e_c %e_then %e_else\n%e_then = OpLabel\nOpReturnValue %one\n"
    "%e_else = OpLabel\nOpReturnValue %e_p\n%e_end = OpLabel\nOpUnreachable\nOpFunctionEnd\n";
// Goes on behind a selection of which one arm may return.
const std::string kFromOneArm =
    kStart + kTest +
    "OpSelectionMerge %e_end None\nOpBranchConditional %e_c %e_then %e_end\n%e_then = OpLabel\n"
    "%e_d = OpFOrdLessThan %bool %one %e_p\nOpSelectionMerge %e_on None\nOpBranchConditional %e_d %e_back %e_on\n"
    "%e_back = OpLabel\nOpReturnValue %one\n%e_on = OpLabel\nOpBranch %e_end\n"
    "%e_end = OpLabel\n%e_v = OpPhi %float %e_p %e_start %one %e_on\n%e_r = OpFAdd %float %e_v %e_p\n"
    "OpReturnValue %e_r\nOpFunctionEnd\n";
// A loop with a return in it, and this behind its header.
std::string from_loop(const std::string& test, const std::string& latch) {
  return kStart + "OpBranch %e_head\n%e_head = OpLabel\nOpLoopMerge %e_end %e_cont None\n" + test +
         "OpSelectionMerge %e_on None\nOpBranchConditional %e_c %e_then %e_on\n%e_then = OpLabel\nOpReturnValue %one\n"
         "%e_on = OpLabel\nOpBranch %e_cont\n%e_cont = OpLabel\n" +
         latch + "%e_end = OpLabel\nOpReturnValue %e_p\nOpFunctionEnd\n";
}
const std::string kWhile =
    "OpBranch %e_ask\n%e_ask = OpLabel\n" + kTest + "OpBranchConditional %e_c %e_body %e_end\n%e_body = OpLabel\n";
const std::string kFromSwitch =
    kStart +
    "OpSelectionMerge %e_end None\nOpSwitch %four %e_end 1 %e_one\n%e_one = OpLabel\nOpReturnValue %one\n"
    "%e_end = OpLabel\nOpReturnValue %e_p\nOpFunctionEnd\n";

Module with(const std::string& function, const std::string& code) { return test::shader(code, {}, kTypes, function); }

Module with(const std::string& function) {
  return with(function, kX + "%m = OpFunctionCall %float %early %p\nOpStore %o %m\n");
}

void check_left_alone(const std::string& function) {
  Module module = with(function);
  const std::vector<std::uint32_t> before = write_module(module);
  merge_returns(module);
  CHECK(write_module(module) == before);
}

}  // namespace

TEST_CASE("what follows an early return stands in the arm that goes on", "[spirv][inline]") {
  Module module = with(kFromSelection);
  merge_returns(module);
  test::check_listing(module,
                      "NOT: OpSwitch\nNOT: OpPhi\nCOUNT 1: OpSelectionMerge\nCOUNT 1: OpBranchConditional\n"
                      "OpBranchConditional\nOpStore\nOpFAdd\nOpStore\nOpLoad\nCOUNT 1: OpReturnValue");
  inline_calls(module);
  test::check_listing(module, "COUNT 1: OpFunctionEnd\nNOT: OpSwitch");
}

TEST_CASE("arms that both return meet where they ended", "[spirv][inline]") {
  Module module = with(kFromBothArms);
  merge_returns(module);
  test::check_listing(module, "NOT: OpSwitch\nNOT: OpUnreachable\nCOUNT 1: OpSelectionMerge\nCOUNT 1: OpReturnValue");
  inline_calls(module);
  test::check_listing(module, "COUNT 1: OpFunctionEnd");
}

TEST_CASE("what may have returned asks before it goes on", "[spirv][inline]") {
  Module module = with(kFromOneArm);
  merge_returns(module);
  test::check_listing(module,
                      "NOT: OpSwitch\nNOT: OpPhi\nCOUNT 3: OpSelectionMerge\nOpStore %* %false\nOpStore %* %true\n"
                      "OpLoad %bool\nOpFAdd\nCOUNT 1: OpReturnValue");
  inline_calls(module);
  test::check_listing(module, "COUNT 1: OpFunctionEnd");
}

TEST_CASE("a return from within a loop or switch leaves that first", "[spirv][inline]") {
  Module loop = with(from_loop(kWhile, "OpBranch %e_head\n"));
  merge_returns(loop);
  test::check_listing(loop, "COUNT 1: OpLoopMerge\nCOUNT 2: OpSelectionMerge\nOpLoad %bool\nCOUNT 1: OpReturnValue");
  Module module = with(kFromSwitch);
  merge_returns(module);
  test::check_listing(module, "COUNT 1: OpSwitch\nCOUNT 2: OpSelectionMerge\nOpLoad %bool\nCOUNT 1: OpReturnValue");
}

TEST_CASE("functions without a value return from one place, too", "[spirv][inline]") {
  Module module = with(
      "%early = OpFunction %void None %fn\n%e_start = OpLabel\nOpSelectionMerge %e_end None\n"
      "OpBranchConditional %true %e_then %e_end\n%e_then = OpLabel\nOpReturn\n%e_end = OpLabel\nOpStore %o "
      "%one\nOpReturn\n"
      "OpFunctionEnd\n",
      "%m = OpFunctionCall %void %early\n");
  merge_returns(module);
  test::check_listing(module, "NOT: OpPhi\nNOT: OpSwitch\nOpStore %o\nCOUNT 2: OpReturn");
}

TEST_CASE("a function with one return, and the entry point, stay as they are", "[spirv][inline]") {
  Module module = with(
      "%early = OpFunction %float None %f1\n%e_p = OpFunctionParameter %float\n%e_start = OpLabel\nOpReturnValue %e_p\n"
      "OpFunctionEnd\n",
      kX + "%m = OpFunctionCall %float %early %p\n%c = OpFOrdLessThan %bool %m %q\nOpSelectionMerge %end None\n"
           "OpBranchConditional %c %then %end\n%then = OpLabel\nOpReturn\n%end = OpLabel\nOpStore %o %m\n");
  merge_returns(module);
  test::check_listing(module, "NOT: OpSwitch\nNOT: %uint\nCOUNT 3: OpReturn\nCOUNT 1: OpReturnValue");
}

TEST_CASE("a value of a loop that is left in front of it goes behind the loop in a variable", "[spirv][inline]") {
  // The value of the latch is used behind the loop.
  const std::string function =
      kStart + "OpBranch %e_head\n%e_head = OpLabel\nOpLoopMerge %e_end %e_cont None\nOpBranch %e_body\n" +
      "%e_body = OpLabel\n" + kTest +
      "OpSelectionMerge %e_on None\nOpBranchConditional %e_c %e_then %e_on\n%e_then = OpLabel\nOpReturnValue %one\n"
      "%e_on = OpLabel\nOpBranch %e_cont\n%e_cont = OpLabel\n%e_v = OpFAdd %float %e_p %e_p\n"
      "OpBranchConditional %true %e_head %e_end\n%e_end = OpLabel\nOpReturnValue %e_v\nOpFunctionEnd\n";
  Module module = with(function);
  merge_returns(module);
  test::check_listing(module, "COUNT 1: OpLoopMerge\nCOUNT 1: OpReturnValue\nOpFAdd\nOpStore\nOpLoad");
  inline_calls(module);
  test::check_listing(module, "COUNT 1: OpFunctionEnd");
}

TEST_CASE("a construct that ends at the header of a loop keeps its function as it is", "[spirv][inline]") {
  check_left_alone(kStart + kTest +
                   "OpSelectionMerge %e_head None\nOpBranchConditional %e_c %e_then %e_else\n%e_then = OpLabel\n"
                   "%e_d = OpFOrdLessThan %bool %one %e_p\nOpSelectionMerge %e_on None\n"
                   "OpBranchConditional %e_d %e_back %e_on\n%e_back = OpLabel\nOpReturnValue %one\n%e_on = OpLabel\n"
                   "OpBranch %e_head\n%e_else = OpLabel\nOpBranch %e_head\n%e_head = OpLabel\n"
                   "OpLoopMerge %e_end %e_cont None\nOpBranchConditional %e_c %e_cont %e_end\n%e_cont = OpLabel\n"
                   "OpBranch %e_head\n%e_end = OpLabel\nOpReturnValue %e_p\nOpFunctionEnd\n");
}

}  // namespace varylink::spirv
