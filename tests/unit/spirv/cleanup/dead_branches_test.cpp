#include "spirv/cleanup/dead_branches.h"

#include "support/catch.h"
#include "support/step_shader.h"

namespace varylink::spirv {
namespace {

using test::kX;
using test::loop;

const std::string kTypes = "%false = OpConstantFalse %bool\n%three = OpConstant %int 3\n";

void check_decided(const std::string& code, const std::string& checks) {
  Module module = test::shader(code, {}, kTypes);
  remove_dead_branches(module);
  test::check_listing(module, checks);
}

// An if/else on the condition, whose sides compute %m and %n; %r is one of them.
std::string two_sides(const std::string& condition) {
  return kX + "OpSelectionMerge %end None\nOpBranchConditional " + condition +
         " %then %else\n%then = OpLabel\n%m = OpFMul %float %p %q\nOpBranch %end\n"
         "%else = OpLabel\n%n = OpFAdd %float %p %q\nOpBranch %end\n"
         "%end = OpLabel\n%r = OpPhi %float %m %then %n %else\nOpStore %o %r\n";
}

TEST_CASE("a branch on a constant goes where it goes", "[spirv][dead-branches]") {
  check_decided(two_sides("%true"), "NOT: OpSelectionMerge\nNOT: OpPhi\nNOT: OpFAdd\nOpFMul\nOpStore %o %m");
  check_decided(two_sides("%false"), "NOT: OpSelectionMerge\nNOT: OpPhi\nNOT: OpFMul\nOpFAdd\nOpStore %o");
}

TEST_CASE("a specialization constant decides nothing", "[spirv][dead-branches]") {
  Module module =
      test::shader(two_sides("%spec"), "OpDecorate %spec SpecId 0\n", kTypes + "%spec = OpSpecConstantTrue %bool\n");
  remove_dead_branches(module);
  test::check_listing(module, "OpSelectionMerge\nOpPhi");
}

TEST_CASE("a switch goes to its case, and falls through from there", "[spirv][dead-branches]") {
  const auto cases = [](const std::string& selector) {
    return kX + "OpSelectionMerge %end None\nOpSwitch " + selector +
           " %other 3 %first 4 %second\n%first = OpLabel\nOpStore %o %p\nOpBranch %second\n"
           "%second = OpLabel\nOpStore %o %q\nOpBranch %end\n%other = OpLabel\nOpStore %o %one\nOpBranch %end\n"
           "%end = OpLabel\n";
  };
  check_decided(cases("%three"), "NOT: OpSwitch\nCOUNT 2: OpStore\nOpStore %o %p\nOpStore %o %q");
  check_decided(cases("%four"), "NOT: OpSwitch\nCOUNT 1: OpStore\nOpStore %o %q");
  check_decided(cases("%zero"), "NOT: OpSwitch\nCOUNT 1: OpStore\nOpStore %o %float_1");
}

TEST_CASE("a switch that is left from within a further selection stays, with one way", "[spirv][dead-branches]") {
  check_decided(kX + "%c = OpFOrdLessThan %bool %p %q\nOpSelectionMerge %end None\nOpSwitch %three %other 3 %then\n"
                     "%then = OpLabel\nOpSelectionMerge %on None\nOpBranchConditional %c %leave %on\n"
                     "%leave = OpLabel\nOpBranch %end\n%on = OpLabel\nOpStore %o %p\nOpBranch %end\n"
                     "%other = OpLabel\nOpStore %o %q\nOpBranch %end\n%end = OpLabel\n",
                "COUNT 1: OpStore\nCOUNT 2: OpSelectionMerge\nOpSwitch %int_3 %*\nOpStore %o %p");
}

TEST_CASE("a conditional way out of what was a selection heads the rest of it", "[spirv][dead-branches]") {
  check_decided(kX + "%c = OpFOrdLessThan %bool %p %q\nOpSelectionMerge %end None\nOpSwitch %three %other 3 %then\n"
                     "%then = OpLabel\nOpBranchConditional %c %on %end\n%on = OpLabel\nOpStore %o %p\nOpBranch %end\n"
                     "%other = OpLabel\nOpStore %o %q\nOpBranch %end\n%end = OpLabel\n",
                "COUNT 1: OpStore\nNOT: OpSwitch\nCOUNT 1: OpSelectionMerge\nOpBranchConditional");
}

TEST_CASE("nested selections are decided at once", "[spirv][dead-branches]") {
  check_decided(kX + "OpSelectionMerge %end None\nOpBranchConditional %true %then %end\n%then = OpLabel\n"
                     "OpSelectionMerge %in_end None\nOpBranchConditional %false %in %in_end\n%in = OpLabel\nOpKill\n"
                     "%in_end = OpLabel\nOpStore %o %p\nOpBranch %end\n%end = OpLabel\n",
                "NOT: OpSelectionMerge\nNOT: OpKill\nOpStore %o %p");
}

TEST_CASE("of a loop that is never entered nothing is left", "[spirv][dead-branches]") {
  const auto entered = [](const std::string& condition) {
    return kX +
           "OpBranch %head\n%head = OpLabel\n%i = OpPhi %int %zero %start %next %cont\n"
           "OpLoopMerge %end %cont None\nOpBranch %test\n%test = OpLabel\nOpBranchConditional " +
           condition +
           " %body %end\n%body = OpLabel\nOpStore %o %p\nOpBranch %cont\n%cont = OpLabel\n"
           "%next = OpIAdd %int %i %four\nOpBranch %head\n%end = OpLabel\nOpStore %o %q\n";
  };
  check_decided(entered("%false"), "NOT: OpLoopMerge\nNOT: OpPhi\nCOUNT 1: OpStore\nOpStore %o %q");
  // Nothing is known of how often one runs that is.
  check_decided(loop("OpStore %o %one\nOpBranch %cont\n"), "OpPhi\nOpLoopMerge\nOpStore\nOpIAdd");
}

TEST_CASE("a loop that is left in its first iteration is none", "[spirv][dead-branches]") {
  check_decided(kX + "%c = OpFOrdLessThan %bool %p %q\nOpBranch %head\n%head = OpLabel\n"
                     "%i = OpPhi %float %p %start %q %cont\nOpLoopMerge %end %cont None\nOpBranch %body\n"
                     "%body = OpLabel\nOpStore %o %i\nOpBranch %cont\n%cont = OpLabel\n"
                     "OpBranchConditional %false %head %end\n%end = OpLabel\n",
                "NOT: OpLoopMerge\nNOT: OpPhi\nOpStore %o %p");
  // With a break and a continue in further selections it stays one, and keeps its way back.
  check_decided(kX +
                    "%c = OpFOrdLessThan %bool %p %q\nOpBranch %head\n%head = OpLabel\n"
                    "OpLoopMerge %end %cont None\nOpBranch %body\n%body = OpLabel\n"
                    "OpSelectionMerge %on None\nOpSwitch %zero %on 1 %break 2 %again\n"
                    "%break = OpLabel\nOpBranch %end\n%again = OpLabel\nOpBranch %cont\n%on = OpLabel\n"
                    "OpSelectionMerge %last None\nOpBranchConditional %c %more %last\n%more = OpLabel\nOpBranch %cont\n"
                    "%last = OpLabel\nOpStore %o %p\nOpBranch %cont\n%cont = OpLabel\n"
                    "OpBranchConditional %false %head %end\n%end = OpLabel\n",
                "OpLoopMerge\nOpBranchConditional %false");
}

TEST_CASE("blocks that nothing reaches go; of ends of constructs a stub stays", "[spirv][dead-branches]") {
  check_decided(kX + "%c = OpFOrdLessThan %bool %p %q\nOpSelectionMerge %end None\nOpBranchConditional %c %then %else\n"
                     "%then = OpLabel\nOpStore %o %p\nOpReturn\n%else = OpLabel\nOpKill\n%end = OpLabel\n"
                     "OpStore %o %q\nOpBranch %behind\n%behind = OpLabel\nOpStore %o %one\n",
                "COUNT 1: OpStore\nOpSelectionMerge\nOpKill\nOpUnreachable");
}

}  // namespace
}  // namespace varylink::spirv
