// Steps of a clean-up.
#include "spirv/cleanup/common_values.h"
#include "spirv/cleanup/dead_code.h"
#include "spirv/cleanup/gvn.h"
#include "spirv/cleanup/merge_blocks.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/step_shader.h"

namespace varylink::spirv {
namespace {

using test::check_listing;
using test::kIf;
using test::kX;
using test::loop;
using test::shader;

void check_merged(const std::string& code, const std::string& checks, const std::string& annotations = {}) {
  Module module = shader(code, annotations);
  gvn(module);
  check_listing(module, checks);
}

TEST_CASE("what was computed before is not computed again", "[spirv][redundancies]") {
  check_merged(kX + "%y = OpLoad %v4 %a\n%r = OpCompositeExtract %float %y 0\n%m = OpFMul %float %p %q\n" + kIf +
                   "%then = OpLabel\n%n = OpFMul %float %r %q\nOpStore %o %n\nOpBranch %end\n%end = OpLabel\n",
               "COUNT 1: OpLoad\nCOUNT 1: OpFMul\n%m = OpFMul\nOpBranchConditional\nOpStore %o %m");
}

TEST_CASE("values of other paths, and with other decorations, are others", "[spirv][redundancies]") {
  check_merged(kX + "%c = OpFOrdLessThan %bool %p %q\nOpSelectionMerge %end None\nOpBranchConditional %c %then %else\n"
                    "%then = OpLabel\n%m = OpFMul %float %p %q\nOpStore %o %m\nOpBranch %end\n"
                    "%else = OpLabel\n%n = OpFMul %float %p %q\nOpStore %o %n\nOpBranch %end\n%end = OpLabel\n",
               "COUNT 2: OpFMul");
  check_merged(kX + "%m = OpFMul %float %p %q\n%n = OpFMul %float %p %q\n%r = OpFMul %float %p %q\n"
                    "%t = OpFAdd %float %m %n\n%v = OpFAdd %float %t %r\nOpStore %o %v\n",
               "COUNT 2: OpFMul", "OpDecorate %n NoContraction\n");
}

// A selection on %c whose sides end with values %m and %n, which meet in %r.
std::string two_sides(const std::string& first, const std::string& second) {
  return kX +
         "%c = OpFOrdLessThan %bool %p %q\nOpSelectionMerge %end None\nOpBranchConditional %c %then %else\n"
         "%then = OpLabel\n" +
         first + "OpBranch %end\n%else = OpLabel\n" + second +
         "OpBranch %end\n%end = OpLabel\n%r = OpPhi %float %m %then %n %else\nOpStore %o %r\n";
}

void check_hoisted(const std::string& code, const std::string& checks) {
  Module module = shader(code);
  hoist_common_values(module);
  check_listing(module, checks);
}

TEST_CASE("what both sides compute for a phi is computed in front of them", "[spirv][common-values]") {
  check_hoisted(two_sides("%d = OpFAdd %float %p %q\n%m = OpFMul %float %d %q\n",
                          "%e = OpFAdd %float %p %q\n%n = OpFMul %float %e %q\n"),
                "NOT: OpPhi\nOpFAdd\n%m = OpFMul\nOpSelectionMerge\nOpStore %o %m");
  check_hoisted(two_sides("%y = OpLoad %v4 %a\n%m = OpCompositeExtract %float %y 2\n",
                          "%z = OpLoad %v4 %a\n%n = OpCompositeExtract %float %z 2\n"),
                "NOT: OpPhi\n%m = OpCompositeExtract\nOpSelectionMerge");
}

TEST_CASE("what the sides do not have in common, and derivatives, stay behind the branch", "[spirv][common-values]") {
  check_hoisted(two_sides("%m = OpFMul %float %p %q\n", "%n = OpFMul %float %p %p\n"), "OpSelectionMerge\nOpPhi");
  check_hoisted(two_sides("%m = OpDPdx %float %p\n", "%n = OpDPdx %float %p\n"),
                "OpSelectionMerge\nCOUNT 2: OpDPdx\nOpPhi");
  const std::string nested =
      "OpSelectionMerge %inner None\nOpBranchConditional %c %deep %inner\n%deep = OpLabel\nOpBranch %inner\n"
      "%inner = OpLabel\n";
  check_hoisted(kX +
                    "%c = OpFOrdLessThan %bool %p %q\nOpSelectionMerge %end None\nOpBranchConditional %c %then %else\n"
                    "%then = OpLabel\n" +
                    nested +
                    "%m = OpFMul %float %p %q\nOpBranch %end\n%else = OpLabel\n"
                    "%n = OpFMul %float %p %q\nOpBranch %end\n%end = OpLabel\n"
                    "%r = OpPhi %float %m %inner %n %else\nOpStore %o %r\n",
                "COUNT 2: OpFMul\nOpPhi");
}

TEST_CASE("what a further side does not compute stays behind the branch", "[spirv][common-values]") {
  const auto ways = [](const std::string& third) {
    return kX +
           "OpSelectionMerge %end None\nOpSwitch %zero %first 1 %second 2 %third\n"
           "%first = OpLabel\n%m = OpFMul %float %p %q\nOpBranch %end\n"
           "%second = OpLabel\n%n = OpFMul %float %p %q\nOpBranch %end\n%third = OpLabel\n" +
           third;
  };
  check_hoisted(ways("OpReturn\n%end = OpLabel\n%r = OpPhi %float %m %first %n %second\nOpStore %o %r\n"),
                "OpSwitch\nCOUNT 2: OpFMul\nOpPhi");
  check_hoisted(ways("%k = OpFMul %float %p %q\nOpBranch %end\n%end = OpLabel\n"
                     "%r = OpPhi %float %m %first %n %second %k %third\nOpStore %o %r\n"),
                "NOT: OpPhi\n%m = OpFMul\nOpSwitch");
}

TEST_CASE("memory that is written is read each time", "[spirv][redundancies]") {
  check_merged(
      "%to = OpAccessChain %uni_float %s %zero\n%m = OpLoad %float %to\nOpStore %to %one\n"
      "%n = OpLoad %float %to\n%v = OpFAdd %float %m %n\nOpStore %o %v\n",
      "COUNT 2: OpLoad %float");
  check_merged(
      "%to = OpAccessChain %uni_float %u %zero %zero\n%m = OpLoad %float %to\n"
      "%n = OpLoad %float %to\n%v = OpFAdd %float %m %n\nOpStore %o %v\n",
      "COUNT 1: OpLoad %float");
}

void check_removed(const std::string& code, const std::string& checks) {
  Module module = shader(code);
  remove_dead_code(module);
  check_listing(module, checks);
}

TEST_CASE("what nothing depends on goes, with its types; bound resources stay", "[spirv][dead]") {
  check_removed("%t = OpVariable %local Function\n" + kX + "%m = OpFMul %float %q %q\nOpStore %t %m\nOpStore %o %p\n",
                "COUNT 1: Binding 0\nCOUNT 1: Binding 1\nNOT: OpTypeBool\nOpTypePointer Input\n"
                "NOT: OpTypePointer Function\nOpFunction\nNOT: OpFMul\nCOUNT 1: OpStore\nOpStore %o");
}

TEST_CASE("locals that are read keep their stores, through parts too", "[spirv][dead]") {
  check_removed("%t = OpVariable %local_v4 Function\n%w = OpVariable %local_v4 Function\n" + kX +
                    "OpStore %t %x\nOpStore %w %x\n%part = OpAccessChain %local %t %zero\n%l = OpLoad %float %part\n"
                    "OpStore %o %l\n",
                "COUNT 1: OpVariable %_ptr_Function_v4float\nCOUNT 2: OpStore\nOpStore\nOpAccessChain\nOpStore %o");
}

TEST_CASE("selections and loops around something that stays stay", "[spirv][dead]") {
  check_removed(kX + kIf + "%then = OpLabel\n%m = OpFMul %float %q %q\nOpStore %o %p\nOpBranch %end\n%end = OpLabel\n",
                "OpFOrdLessThan\nOpSelectionMerge\nNOT: OpFMul\nOpStore");
  check_removed(loop("OpStore %o %one\nOpBranch %cont\n"), "OpPhi\nOpLoopMerge\nOpStore\nOpIAdd");
  // The break has nothing in it that stays but itself.
  check_removed(loop("OpStore %o %one\n%x = OpLoad %v4 %a\n%p = OpCompositeExtract %float %x 0\n"
                     "%b = OpFOrdLessThan %bool %p %one\nOpSelectionMerge %on None\nOpBranchConditional %b %out %on\n"
                     "%out = OpLabel\nOpBranch %end\n%on = OpLabel\nOpBranch %cont\n"),
                "OpLoopMerge\nOpStore\nOpFOrdLessThan\nOpSelectionMerge");
  // Whether the value comes from here or there is what the selection is for.
  check_removed(kX + kIf +
                    "%then = OpLabel\nOpBranch %end\n%end = OpLabel\n%m = OpPhi %float %p %start %q %then\n"
                    "OpStore %o %m\n",
                "OpFOrdLessThan\nOpSelectionMerge\nOpPhi");
}

TEST_CASE("selections and loops around nothing that stays go", "[spirv][dead]") {
  const std::string selection =
      "%then = OpLabel\n%m = OpFMul %float %q %q\nOpBranch %end\n%end = OpLabel\nOpStore %o %p\n";
  check_removed(kX + kIf + selection, "NOT: OpSelectionMerge\nNOT: OpFOrdLessThan\nCOUNT 2: OpLabel\nOpStore %o %p");
  check_removed(loop("OpBranch %cont\n") + "OpStore %o %one\n", "NOT: OpLoopMerge\nNOT: OpIAdd\nOpStore %o");
  // In a loop that stays.
  check_removed(loop("%x = OpLoad %v4 %a\n%p = OpCompositeExtract %float %x 0\n%b = OpFOrdLessThan %bool %p %one\n"
                     "OpSelectionMerge %on None\nOpSwitch %i %on 1 %case\n%case = OpLabel\n"
                     "%m = OpFMul %float %p %p\nOpBranch %on\n%on = OpLabel\nOpStore %o %p\nOpBranch %cont\n"),
                "OpLoopMerge\nNOT: OpSwitch\nOpStore %o\nOpIAdd");
}

TEST_CASE("a loop that does not end stays", "[spirv][dead]") {
  check_removed(
      "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %cont None\nOpBranch %cont\n%cont = OpLabel\n"
      "OpBranch %head\n%end = OpLabel\n",
      "OpLoopMerge");
}

TEST_CASE("functions that are not called go; what those that stay may write does not", "[spirv][dead]") {
  Module module = shader("%r = OpFunctionCall %void %used\n", {},
                         "%private = OpTypePointer Private %float\n%g = OpVariable %private Private\n",
                         "%used = OpFunction %void None %fn\n%l1 = OpLabel\nOpStore %g %one\nOpReturn\nOpFunctionEnd\n"
                         "%unused = OpFunction %void None %fn\n%l2 = OpLabel\nOpStore %g %none\nOpReturn\n"
                         "OpFunctionEnd\n");
  remove_dead_code(module);
  check_listing(module, "COUNT 2: OpFunctionEnd\nCOUNT 1: OpStore");
}

void check_joined(const std::string& code, const std::string& checks) {
  Module module = shader(code);
  merge_blocks(module);
  check_listing(module, checks);
}

TEST_CASE("a block that is only reached from one that goes nowhere else becomes part of it", "[spirv][blocks]") {
  check_joined(kX + "OpBranch %then\n%then = OpLabel\n%m = OpFMul %float %p %q\nOpBranch %end\n%end = OpLabel\n"
                    "OpStore %o %m\n",
               "COUNT 1: OpLabel\nNOT: OpBranch\nOpFMul\nOpStore");
  // The phi of a block with one predecessor is the value, and phis behind name the block that is left.
  check_joined(
      kX + "OpBranch %first\n%first = OpLabel\n" + kIf +
          "%then = OpLabel\n%m = OpFMul %float %p %q\nOpBranch %on\n%on = OpLabel\n%r = OpPhi %float %m %then\n"
          "OpBranch %end\n%end = OpLabel\n%v = OpPhi %float %p %first %r %on\nOpStore %o %v\n",
      "COUNT 3: OpLabel\nCOUNT 1: OpPhi\nOpFMul\nOpPhi");
}

TEST_CASE("merge blocks stay two, and headers are left to others", "[spirv][blocks]") {
  const std::string inner =
      "%b = OpFOrdLessThan %bool %q %p\nOpSelectionMerge %in_end None\nOpBranchConditional %b %in %in_end\n"
      "%in = OpLabel\nOpStore %o %p\nOpBranch %in_end\n%in_end = OpLabel\nOpBranch %end\n";
  const std::string other = "%else = OpLabel\nOpUnreachable\n%end = OpLabel\n";
  check_joined(kX +
                   "%c = OpFOrdLessThan %bool %p %q\nOpSelectionMerge %end None\nOpBranchConditional %c %then %else\n"
                   "%then = OpLabel\n" +
                   inner + other,
               "COUNT 6: OpLabel\nCOUNT 2: OpBranch %");
}

TEST_CASE("the header of a loop takes in the block behind it, with its branch", "[spirv][blocks]") {
  const auto loop = [](const std::string& body) {
    return kX +
           "%c = OpFOrdLessThan %bool %p %q\nOpBranch %head\n%head = OpLabel\nOpLoopMerge %end %cont None\n"
           "OpBranch %body\n%body = OpLabel\nOpStore %o %one\n" +
           body + "%cont = OpLabel\nOpBranch %head\n%end = OpLabel\n";
  };
  check_joined(loop("OpBranchConditional %c %cont %end\n"),
               "COUNT 4: OpLabel\nOpStore %o\nOpLoopMerge\nOpBranchConditional");
  // Not if it is a header itself, and not if it goes nowhere.
  const std::string selection =
      "OpSelectionMerge %on None\nOpBranchConditional %c %then %on\n%then = OpLabel\nOpBranch %on\n%on = OpLabel\n";
  check_joined(loop(selection + "OpBranchConditional %c %cont %end\n"),
               "COUNT 7: OpLabel\nOpLoopMerge\nOpBranch %*\nOpStore %o\nOpSelectionMerge");
  check_joined(loop("OpKill\n"), "COUNT 5: OpLabel\nOpLoopMerge\nOpBranch %*\nOpStore %o\nOpKill");
}

TEST_CASE("a case of a switch is not joined with the end of a construct", "[spirv][blocks]") {
  check_joined(
      "OpSelectionMerge %end None\nOpSwitch %four %other 3 %then\n%then = OpLabel\nOpKill\n"
      "%other = OpLabel\nOpBranch %end\n%end = OpLabel\n",
      "COUNT 4: OpLabel");
  // Blocks in a case are as others are.
  check_joined(kX + "OpSelectionMerge %end None\nOpSwitch %four %other 3 %then\n%then = OpLabel\nOpBranch %on\n"
                    "%on = OpLabel\nOpStore %o %p\nOpBranch %end\n%other = OpLabel\nOpKill\n%end = OpLabel\n",
               "COUNT 4: OpLabel\nOpStore %o %p");
}

}  // namespace
}  // namespace varylink::spirv
