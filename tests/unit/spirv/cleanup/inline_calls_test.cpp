#include "spirv/cleanup/inline_calls.h"

#include "spirv/tools/binary.h"
#include "support/catch.h"
#include "support/step_shader.h"

namespace varylink::spirv {
namespace {

using test::kIf;
using test::kX;

const std::string kTypes =
    "%f1 = OpTypeFunction %float %float\n%fp = OpTypeFunction %void %local\n%k1 = OpConstant %int 1\n";

// %twice gives twice its parameter.
const std::string kTwice =
    "%twice = OpFunction %float None %f1\n%two_p = OpFunctionParameter %float\n%two = OpLabel\n"
    "%two_r = OpFAdd %float %two_p %two_p\nOpReturnValue %two_r\nOpFunctionEnd\n";
// %larger gives its parameter, but at least 1; its branches meet before it returns.
const std::string kLarger =
    "%larger = OpFunction %float None %f1\n%l_p = OpFunctionParameter %float\n%l_start = OpLabel\n"
    "%l_c = OpFOrdLessThan %bool %l_p %one\nOpSelectionMerge %l_end None\nOpBranchConditional %l_c %l_then %l_end\n"
    "%l_then = OpLabel\nOpBranch %l_end\n%l_end = OpLabel\n%l_r = OpPhi %float %l_p %l_start %one %l_then\n"
    "OpReturnValue %l_r\nOpFunctionEnd\n";
// %discards ends the invocation where its parameter is small.
const std::string kDiscards =
    "%discards = OpFunction %float None %f1\n%d_p = OpFunctionParameter %float\n%d_start = OpLabel\n"
    "%d_c = OpFOrdLessThan %bool %d_p %one\nOpSelectionMerge %d_end None\nOpBranchConditional %d_c %d_then %d_end\n"
    "%d_then = OpLabel\nOpKill\n%d_end = OpLabel\nOpReturnValue %d_p\nOpFunctionEnd\n";

Module with(const std::string& code, const std::string& functions, const std::string& annotations = {}) {
  return test::shader(code, annotations, kTypes, functions);
}

void check_inlined(const std::string& code, const std::string& functions, const std::string& checks,
                   const std::string& annotations = {}) {
  Module module = with(code, functions, annotations);
  inline_calls(module);
  CHECK(module.functions.size() == 1);
  test::check_listing(module, "NOT: OpFunctionCall\nCOUNT 1: OpFunctionEnd\n" + checks);
}

// All calls stay.
void check_left_alone(const std::string& code, const std::string& functions) {
  Module module = with(code, functions);
  const std::vector<std::uint32_t> before = write_module(module);
  inline_calls(module);
  CHECK(write_module(module) == before);
}

TEST_CASE("a function that is called once moves to where it is called", "[spirv][inline]") {
  check_inlined(kX + "%m = OpFunctionCall %float %twice %p\nOpStore %o %m\n", kTwice,
                "OpName %r \"r\"\nCOUNT 1: OpLabel\n%r = OpFAdd %float %p %p\nOpStore %o %r", "OpName %two_r \"r\"\n");
}

TEST_CASE("a function that is called more often is copied, with what it is decorated with", "[spirv][inline]") {
  check_inlined(kX + "%m = OpFunctionCall %float %twice %p\n%n = OpFunctionCall %float %twice %m\nOpStore %o %n\n",
                kTwice,
                "COUNT 2: RelaxedPrecision\nCOUNT 2: NoContraction\nCOUNT 2: OpFAdd\nOpFAdd %float %p %p\nOpStore",
                "OpDecorate %two_r RelaxedPrecision\nOpDecorate %two_r NoContraction\n");
}

TEST_CASE("functions call functions", "[spirv][inline]") {
  const std::string four =
      "%fourfold = OpFunction %float None %f1\n%four_p = OpFunctionParameter %float\n%four_l = OpLabel\n"
      "%h = OpFunctionCall %float %twice %four_p\n%four_r = OpFunctionCall %float %twice %h\n"
      "OpReturnValue %four_r\nOpFunctionEnd\n";
  check_inlined(
      kX + "%m = OpFunctionCall %float %fourfold %p\n%n = OpFunctionCall %float %fourfold %m\nOpStore %o %n\n",
      kTwice + four, "COUNT 4: OpFAdd\nCOUNT 4: NoContraction\nOpStore", "OpDecorate %two_r NoContraction\n");
}

TEST_CASE("blocks come along, and phis behind name the last of them", "[spirv][inline]") {
  check_inlined(kX + kIf +
                    "%then = OpLabel\n%m = OpFunctionCall %float %larger %p\n%n = OpFunctionCall %float %larger %q\n"
                    "%r = OpFAdd %float %m %n\nOpBranch %end\n%end = OpLabel\n%v = OpPhi %float %p %start %r %then\n"
                    "OpStore %o %v\n",
                kLarger, "COUNT 7: OpLabel\nCOUNT 3: OpPhi\nCOUNT 3: OpSelectionMerge\nOpPhi\nOpPhi\nOpFAdd\nOpPhi");
}

TEST_CASE("a selection around a call keeps its header where the call ends", "[spirv][inline]") {
  check_inlined(kX + "%m = OpFunctionCall %float %larger %p\n" + kIf +
                    "%then = OpLabel\nOpStore %o %m\nOpBranch %end\n%end = OpLabel\n",
                kLarger, "OpSelectionMerge\nOpPhi\nOpSelectionMerge\nOpStore");
}

TEST_CASE("locals of a function stand in its caller, and start anew with each call", "[spirv][inline]") {
  const std::string counts =
      "%counts = OpFunction %float None %f1\n%c_p = OpFunctionParameter %float\n%c_l = OpLabel\n"
      "%c_t = OpVariable %local Function %one\n%c_o = OpLoad %float %c_t\n%c_n = OpFAdd %float %c_o %c_p\n"
      "OpStore %c_t %c_n\n%c_r = OpLoad %float %c_t\nOpReturnValue %c_r\nOpFunctionEnd\n";
  check_inlined(kX + "%m = OpFunctionCall %float %counts %p\n%n = OpFunctionCall %float %counts %m\nOpStore %o %n\n",
                counts,
                "COUNT 2: OpVariable %_ptr_Function_float Function\nNOT: Function %float_1\nOpVariable\nOpVariable\n"
                "OpLoad %v4float\nOpStore %* %float_1\nOpFAdd\nOpStore %* %float_1\nOpFAdd\nOpStore %o");
}

TEST_CASE("pointers that are passed become the variable", "[spirv][inline]") {
  const std::string sets =
      "%sets = OpFunction %void None %fp\n%s_p = OpFunctionParameter %local\n%s_l = OpLabel\n"
      "OpStore %s_p %one\nOpReturn\nOpFunctionEnd\n";
  check_inlined(
      "%t = OpVariable %local Function\n%none_ = OpFunctionCall %void %sets %t\n%l = OpLoad %float %t\n"
      "OpStore %o %l\n",
      sets, "OpVariable\nOpStore %* %float_1\nOpLoad\nOpStore %o");
}

TEST_CASE("a value takes on what the call of its function was obliged to", "[spirv][inline]") {
  check_inlined(kX + "%m = OpFunctionCall %float %twice %p\nOpStore %o %m\n", kTwice, "COUNT 1: NoContraction\nOpFAdd",
                "OpDecorate %m NoContraction\n");
}

TEST_CASE("what ends the invocation may be inlined, but not into a continue construct", "[spirv][inline]") {
  check_inlined(kX + "%m = OpFunctionCall %float %discards %p\nOpStore %o %m\n", kDiscards, "OpKill\nOpStore %o %p");
  const auto loop = [](const std::string& body, const std::string& next) {
    return kX + "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %cont None\nOpBranch %body\n%body = OpLabel\n" +
           body + "%c = OpFOrdLessThan %bool %p %q\nOpBranchConditional %c %cont %end\n%cont = OpLabel\n" + next +
           "OpBranch %head\n%end = OpLabel\nOpStore %o %p\n";
  };
  const std::string call = "%m = OpFunctionCall %float %discards %p\n";
  check_inlined(loop(call, ""), kDiscards, "OpLoopMerge\nOpKill");
  check_left_alone(loop("", call), kDiscards);
  check_inlined(loop("", "%m = OpFunctionCall %float %larger %p\n"), kLarger, "OpLoopMerge\nOpSelectionMerge\nOpPhi");
}

TEST_CASE("a header of a loop goes on to a block of its own for functions of several blocks", "[spirv][inline]") {
  const auto loop = [](const std::string& function, const std::string& ways) {
    return kX + "OpBranch %head\n%head = OpLabel\n%m = OpFunctionCall %float %" + function +
           " %p\n%c = OpFOrdLessThan %bool %m %q\nOpLoopMerge %end %cont None\nOpBranchConditional %c " + ways +
           "\n%cont = OpLabel\nOpBranch %head\n%end = OpLabel\nOpStore %o %p\n";
  };
  check_inlined(loop("twice", "%cont %end"), kTwice, "OpFAdd\nOpFOrdLessThan\nOpLoopMerge");
  check_inlined(
      loop("larger", "%cont %end"), kLarger,
      "OpLoopMerge\nOpBranch %\nOpFOrdLessThan\nOpSelectionMerge\nOpPhi\nOpFOrdLessThan\nOpBranchConditional");
  const std::string both =
      "%left %right\n%left = OpLabel\nOpBranch %cont\n%right = OpLabel\nOpBranchConditional %c %cont %end";
  check_left_alone(loop("larger", both), kLarger);
  check_inlined(loop("twice", both), kTwice, "OpFAdd\nOpFOrdLessThan\nOpLoopMerge");
}

TEST_CASE("a loop of one block takes functions of several blocks, and its phis come from the last", "[spirv][inline]") {
  const std::string code =
      kX +
      "OpBranch %head\n%head = OpLabel\n%i = OpPhi %float %p %start %m %head\n"
      "%m = OpFunctionCall %float %larger %i\n%c = OpFOrdLessThan %bool %m %q\nOpLoopMerge %end %head None\n"
      "OpBranchConditional %c %head %end\n%end = OpLabel\nOpStore %o %m\n";
  check_inlined(code, kLarger, "OpPhi\nOpLoopMerge\nOpBranch %\nOpSelectionMerge\nOpPhi\nOpBranchConditional");
}

TEST_CASE("what stands behind a function that never returns goes", "[spirv][inline]") {
  const std::string stops =
      "%stops = OpFunction %float None %f1\n%st_p = OpFunctionParameter %float\n%st_l = OpLabel\nOpKill\n"
      "OpFunctionEnd\n";
  check_inlined(kX + kIf + "%then = OpLabel\n%m = OpFunctionCall %float %stops %p\nOpStore %o %m\nOpBranch %end\n" +
                    "%end = OpLabel\nOpStore %o %q\n",
                stops, "COUNT 1: OpStore\nNOT: OpUndef\nOpSelectionMerge\nOpKill\nOpStore");
  const std::string in_header =
      kX +
      "OpBranch %head\n%head = OpLabel\n%m = OpFunctionCall %float %stops %p\nOpLoopMerge %end %cont None\n"
      "OpBranchConditional %true %cont %end\n%cont = OpLabel\nOpBranch %head\n%end = OpLabel\n";
  check_left_alone(in_header, stops);
}

TEST_CASE("functions that return early, call themselves or ask to stay, are called", "[spirv][inline]") {
  const std::string call = kX + "%m = OpFunctionCall %float %f %p\nOpStore %o %m\n";
  const std::string head = "%f = OpFunction %float None %f1\n%f_p = OpFunctionParameter %float\n%f_l = OpLabel\n";
  const std::string branch =
      "%f_c = OpFOrdLessThan %bool %f_p %one\nOpSelectionMerge %f_end None\nOpBranchConditional %f_c %f_then %f_end\n"
      "%f_then = OpLabel\nOpReturnValue %one\n%f_end = OpLabel\n";
  check_left_alone(call, head + branch + "OpReturnValue %f_p\nOpFunctionEnd\n");
  check_left_alone(call, head + branch + "OpKill\nOpFunctionEnd\n");
  check_left_alone(call,
                   "%f = OpFunction %float DontInline %f1\n%f_p = OpFunctionParameter %float\n%f_l = OpLabel\n"
                   "OpReturnValue %f_p\nOpFunctionEnd\n");
  check_left_alone(call, head + "%f_n = OpFunctionCall %float %f %f_p\nOpReturnValue %f_n\nOpFunctionEnd\n");
}

TEST_CASE("beside a call that stays others are written out, in the function that is called, too", "[spirv][inline]") {
  const std::string called =
      "%f = OpFunction %float DontInline %f1\n%f_p = OpFunctionParameter %float\n%f_l = OpLabel\n"
      "%f_n = OpFunctionCall %float %twice %f_p\nOpReturnValue %f_n\nOpFunctionEnd\n";
  Module module = with(kX + "%m = OpFunctionCall %float %f %p\n%n = OpFunctionCall %float %twice %m\nOpStore %o %n\n",
                       kTwice + called);
  inline_calls(module);
  test::check_listing(module,
                      "COUNT 1: OpFunctionCall\nCOUNT 2: OpFunctionEnd\nCOUNT 2: OpFAdd\nOpFunctionCall %float");
}

TEST_CASE("a function of which one call stays is copied for the others", "[spirv][inline]") {
  const std::string code =
      kX +
      "%n = OpFunctionCall %float %discards %q\nOpBranch %head\n%head = OpLabel\nOpLoopMerge %end %cont None\n"
      "OpBranch %body\n%body = OpLabel\n%c = OpFOrdLessThan %bool %p %q\nOpBranchConditional %c %cont %end\n"
      "%cont = OpLabel\n%m = OpFunctionCall %float %discards %p\nOpBranch %head\n%end = OpLabel\nOpStore %o %n\n";
  Module module = with(code, kDiscards);
  inline_calls(module);
  test::check_listing(module, "COUNT 1: OpFunctionCall\nCOUNT 2: OpFunctionEnd\nCOUNT 2: OpKill");
}

TEST_CASE("functions that nobody calls go", "[spirv][inline]") {
  check_inlined(kX + "OpStore %o %p\n", kTwice + kLarger, "NOT: OpPhi\nOpStore %o %p");
}

TEST_CASE("a sampled image is made again in each block that uses it", "[spirv][inline]") {
  const std::string types =
      "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%sampler = OpTypeSampler\n%both = OpTypeSampledImage %image\n"
      "%c_image = OpTypePointer UniformConstant %image\n%c_sampler = OpTypePointer UniformConstant %sampler\n"
      "%v2 = OpTypeVector %float 2\n%at = OpConstantComposite %v2 %none %none\n"
      "%i = OpVariable %c_image UniformConstant\n%s1 = OpVariable %c_sampler UniformConstant\n";
  const std::string annotations =
      "OpDecorate %i DescriptorSet 0\nOpDecorate %i Binding 2\nOpDecorate %s1 DescriptorSet 0\nOpDecorate %s1 Binding "
      "3\n";
  Module module =
      test::shader(kX + "%li = OpLoad %image %i\n%ls = OpLoad %sampler %s1\n%b = OpSampledImage %both %li %ls\n"
                        "%m = OpFunctionCall %float %larger %p\n%t = OpImageSampleExplicitLod %v4 %b %at Lod %m\n"
                        "%r = OpCompositeExtract %float %t 0\nOpStore %o %r\n",
                   annotations, kTypes + types, kLarger);
  inline_calls(module);
  test::check_listing(module, "OpSampledImage\nOpPhi\nOpSampledImage\nOpImageSampleExplicitLod");
}

}  // namespace
}  // namespace varylink::spirv
