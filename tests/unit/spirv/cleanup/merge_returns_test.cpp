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
const std::string kFromLoop =
    kStart +
    "OpBranch %e_head\n%e_head = OpLabel\nOpLoopMerge %e_end %e_cont None\nOpBranch %e_body\n%e_body = OpLabel\n" +
    kTest +
    "OpSelectionMerge %e_on None\nOpBranchConditional %e_c %e_then %e_on\n%e_then = OpLabel\nOpReturnValue %one\n"
    "%e_on = OpLabel\nOpBranch %e_cont\n%e_cont = OpLabel\nOpBranchConditional %true %e_head %e_end\n"
    "%e_end = OpLabel\nOpReturnValue %e_p\nOpFunctionEnd\n";
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
  CHECK_FALSE(merge_returns(module));
  CHECK(write_module(module) == before);
}

}  // namespace

TEST_CASE("returns meet behind a switch around the function, which can be inlined then", "[spirv][inline]") {
  Module module = with(kFromSelection);
  REQUIRE(merge_returns(module));
  test::check_listing(
      module,
      "OpVariable %_ptr_Function_float Function\nOpSelectionMerge\nOpSwitch %uint_0 %\nOpBranchConditional\n"
      "OpPhi %float %\nCOUNT 1: OpReturnValue");
  REQUIRE(inline_calls(module));
  test::check_listing(module, "COUNT 1: OpFunctionEnd\nOpSwitch %uint_0\nOpPhi %float");
}

TEST_CASE("arms that both return leave an end that nothing reaches", "[spirv][inline]") {
  Module module = with(kFromBothArms);
  REQUIRE(merge_returns(module));
  test::check_listing(module, "OpSwitch %uint_0 %\nOpUnreachable\nOpPhi %float\nCOUNT 1: OpReturnValue");
  REQUIRE(inline_calls(module));
  test::check_listing(module, "COUNT 1: OpFunctionEnd\nOpPhi %float");
}

TEST_CASE("functions without a value return from one place, too", "[spirv][inline]") {
  Module module = with(
      "%early = OpFunction %void None %fn\n%e_start = OpLabel\nOpSelectionMerge %e_end None\n"
      "OpBranchConditional %true %e_then %e_end\n%e_then = OpLabel\nOpReturn\n%e_end = OpLabel\nOpStore %o "
      "%one\nOpReturn\n"
      "OpFunctionEnd\n",
      "%m = OpFunctionCall %void %early\n");
  REQUIRE(merge_returns(module));
  test::check_listing(module, "NOT: OpPhi\nOpSwitch %uint_0\nOpStore %o\nCOUNT 2: OpReturn");
}

TEST_CASE("a function with one return, and the entry point, stay as they are", "[spirv][inline]") {
  Module module = with(
      "%early = OpFunction %float None %f1\n%e_p = OpFunctionParameter %float\n%e_start = OpLabel\nOpReturnValue %e_p\n"
      "OpFunctionEnd\n",
      kX + "%m = OpFunctionCall %float %early %p\n%c = OpFOrdLessThan %bool %m %q\nOpSelectionMerge %end None\n"
           "OpBranchConditional %c %then %end\n%then = OpLabel\nOpReturn\n%end = OpLabel\nOpStore %o %m\n");
  REQUIRE(merge_returns(module));
  test::check_listing(module, "NOT: OpSwitch\nNOT: %uint\nCOUNT 3: OpReturn\nCOUNT 1: OpReturnValue");
}

TEST_CASE("returns from within loops and other switches are not merged", "[spirv][inline]") {
  check_left_alone(kFromLoop);
  check_left_alone(kFromSwitch);
}

}  // namespace varylink::spirv
