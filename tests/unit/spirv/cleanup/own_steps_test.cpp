// The steps of a clean-up that run without SPIRV-Tools.
#include "spirv/cleanup/dead_code.h"
#include "spirv/cleanup/merge_blocks.h"
#include "spirv/cleanup/plain_locals.h"
#include "spirv/cleanup/redundancies.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/clean_up_work.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"
#include "support/listing_check.h"

namespace varylink::spirv {
namespace {

// A fragment stage with input %a (vec4) and output %o (float), an array %u of four floats in a uniform block, a storage
// buffer %s of one float, and this code, which ends its last block.
Module shader(const std::string& code, const std::string& annotations = {}) {
  const std::string text =
      "OpCapability Shader\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint Fragment %main \"main\" %a %o\nOpExecutionMode %main OriginUpperLeft\n"
      "OpName %a \"a\"\nOpName %o \"o\"\nOpName %p \"p\"\nOpName %q \"q\"\nOpName %m \"m\"\nOpDecorate %a Location "
      "0\nOpDecorate %o Location 0\n"
      "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %floats ArrayStride 16\n"
      "OpDecorate %u DescriptorSet 0\nOpDecorate %u Binding 0\nOpDecorate %buffer BufferBlock\n"
      "OpMemberDecorate %buffer 0 Offset 0\nOpDecorate %s DescriptorSet 0\nOpDecorate %s Binding 1\n" +
      annotations +
      "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%float = OpTypeFloat 32\n"
      "%int = OpTypeInt 32 1\n%v4 = OpTypeVector %float 4\n%zero = OpConstant %int 0\n%four = OpConstant %int 4\n"
      "%count = OpConstant %int 4\n%floats = OpTypeArray %float %count\n%block = OpTypeStruct %floats\n"
      "%buffer = OpTypeStruct %float\n%true = OpConstantTrue %bool\n%none = OpConstant %float 0\n%one = OpConstant "
      "%float 1\n"
      "%local = OpTypePointer Function %float\n%local_v4 = OpTypePointer Function %v4\n"
      "%in_v4 = OpTypePointer Input %v4\n%in_float = OpTypePointer Input %float\n"
      "%out_float = OpTypePointer Output %float\n"
      "%uni_block = OpTypePointer Uniform %block\n%uni_buffer = OpTypePointer Uniform %buffer\n"
      "%uni_float = OpTypePointer Uniform %float\n%a = OpVariable %in_v4 Input\n%o = OpVariable %out_float Output\n"
      "%u = OpVariable %uni_block Uniform\n%s = OpVariable %uni_buffer Uniform\n"
      "%main = OpFunction %void None %fn\n%start = OpLabel\n" +
      code + "OpReturn\nOpFunctionEnd\n";
  const auto words = assemble(text, TargetEnv::vulkan1_0, "test");
  INFO((words ? std::string() : render(words.error())));
  REQUIRE(words);
  Result<Module> module = read_module(*words, "test");
  REQUIRE(module);
  return std::move(*module);
}

std::string listing_of(Module module) {
  remove_dangling_annotations(module);
  const std::vector<std::uint32_t> words = write_module(module);
  const auto valid = validate(words, {TargetEnv::vulkan1_0, false, false, false, false, false}, "test");
  INFO((valid ? std::string() : render(valid.error())));
  CHECK(valid);
  return disassemble(words);
}

void check(const Module& module, const std::string& checks) {
  const std::string listing = listing_of(module);
  INFO(listing);
  CHECK(test::failed_checks(listing, checks) == "");
}

void check_promoted(const std::string& code, const std::string& checks) {
  Module module = shader(code);
  promote_plain_locals(module);
  check(module, checks);
}

const std::string kX = "%x = OpLoad %v4 %a\n%p = OpCompositeExtract %float %x 0\n%q = OpCompositeExtract %float %x 1\n";
const std::string kIf =
    "%c = OpFOrdLessThan %bool %p %q\nOpSelectionMerge %end None\nOpBranchConditional %c %then %end\n";

TEST_CASE("a load is what was stored last in its block", "[spirv][locals]") {
  check_promoted(
      "%t = OpVariable %local Function\n%w = OpVariable %local Function\n" + kX +
          "OpStore %t %p\n%l = OpLoad %float %t\n%m = OpFAdd %float %l %q\nOpStore %t %m\n"
          "%n = OpLoad %float %t\nOpStore %w %n\n%r = OpLoad %float %w\n%v = OpFMul %float %r %l\nOpStore %o %v\n",
      "NOT: OpVariable %_ptr_Function\n%m = OpFAdd %float %p %q\nOpFMul %float %m %p");
}

TEST_CASE("a load behind a branch is what the only store left", "[spirv][locals]") {
  check_promoted("%t = OpVariable %local Function\n" + kX + "OpStore %t %p\n" + kIf +
                     "%then = OpLabel\n%l = OpLoad %float %t\nOpStore %o %l\nOpBranch %end\n%end = OpLabel\n",
                 "NOT: OpVariable %_ptr_Function\nOpStore %o %p");
}

TEST_CASE("what only some paths store stays in memory", "[spirv][locals]") {
  check_promoted(
      "%t = OpVariable %local Function\n" + kX + kIf +
          "%then = OpLabel\nOpStore %t %p\nOpBranch %end\n%end = OpLabel\n%l = OpLoad %float %t\nOpStore %o %l\n",
      "OpVariable %_ptr_Function\nOpStore\nOpLoad %float\nOpStore %o");
  check_promoted(
      "%t = OpVariable %local Function\n" + kX + "OpStore %t %q\n" + kIf +
          "%then = OpLabel\nOpStore %t %p\nOpBranch %end\n%end = OpLabel\n%l = OpLoad %float %t\nOpStore %o %l\n",
      "OpVariable %_ptr_Function\nOpStore\nOpStore\nOpLoad %float\nOpStore %o");
}

TEST_CASE("what is loaded before anything was stored is undefined", "[spirv][locals]") {
  check_promoted(
      "%t = OpVariable %local Function\n" + kX +
          "%l = OpLoad %float %t\n%r = OpFAdd %float %l %p\nOpStore %t %r\n%m = OpLoad %float %t\nOpStore %o %m\n",
      "NOT: OpVariable %_ptr_Function\n= OpUndef %float\nOpFAdd %float");
}

TEST_CASE("locals that are volatile, or known by parts, stay in memory", "[spirv][locals]") {
  check_promoted(
      "%t = OpVariable %local Function\n" + kX + "OpStore %t %p\n%l = OpLoad %float %t Volatile\nOpStore %o %l\n",
      "OpVariable %_ptr_Function\nVolatile");
  check_promoted("%t = OpVariable %local_v4 Function\n" + kX +
                     "OpStore %t %x\n%part = OpAccessChain %local %t %zero\nOpStore %part %q\n"
                     "%l = OpLoad %v4 %t\n%r = OpCompositeExtract %float %l 0\nOpStore %o %r\n",
                 "OpVariable %_ptr_Function\nOpStore\nOpStore\nOpLoad %v4float");
}

void check_merged(const std::string& code, const std::string& checks, const std::string& annotations = {}) {
  Module module = shader(code, annotations);
  merge_redundancies(module);
  check(module, checks);
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
  CHECK(remove_dead_code(module));
  check(module, checks);
}

// A loop that runs four times around `body`.
std::string loop(const std::string& body) {
  return "OpBranch %head\n%head = OpLabel\n%i = OpPhi %int %zero %start %next %cont\n"
         "OpLoopMerge %end %cont None\nOpBranch %test\n%test = OpLabel\n%c = OpSLessThan %bool %i %four\n"
         "OpBranchConditional %c %body %end\n%body = OpLabel\n" +
         body + "%cont = OpLabel\n%next = OpIAdd %int %i %four\nOpBranch %head\n%end = OpLabel\n";
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

TEST_CASE("taking out a branch is left to others", "[spirv][dead]") {
  const std::string selection =
      "%then = OpLabel\n%m = OpFMul %float %q %q\nOpBranch %end\n%end = OpLabel\nOpStore %o %p\n";
  const std::string endless_counting = loop("OpBranch %cont\n") + "OpStore %o %one\n";
  for (const std::string& code : {kX + kIf + selection, endless_counting}) {
    Module module = shader(code);
    const std::vector<std::uint32_t> before = write_module(module);
    CHECK_FALSE(remove_dead_code(module));
    CHECK(write_module(module) == before);
  }
}

void check_joined(const std::string& code, const std::string& checks) {
  Module module = shader(code);
  CHECK(merge_blocks(module));
  check(module, checks);
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
  Module module = shader(
      "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %cont None\nOpBranch %body\n%body = OpLabel\n"
      "OpStore %o %one\nOpBranchConditional %true %cont %end\n%cont = OpLabel\nOpBranch %head\n"
      "%end = OpLabel\n");
  const std::vector<std::uint32_t> before = write_module(module);
  CHECK_FALSE(merge_blocks(module));
  CHECK(write_module(module) == before);
}

bool works(CleanUp step, const std::string& code, std::span<const CleanUp> before = {}) {
  return has_work(shader(code), step, before);
}

TEST_CASE("folding is worth a try where constants decide a value", "[spirv][work]") {
  const auto may_fold = [](const std::string& value) {
    return works(CleanUp::propagate_constants, kX + "%n = OpConvertFToS %int %p\n%v = " + value + "\nOpStore %o %p\n");
  };
  CHECK_FALSE(may_fold("OpFMul %float %p %one"));
  CHECK(may_fold("OpFMul %float %none %one"));
  CHECK(may_fold("OpCompositeConstruct %v4 %one %one %one %one"));
  CHECK_FALSE(may_fold("OpCompositeConstruct %v4 %one %one %p %one"));
  CHECK_FALSE(may_fold("OpVectorTimesScalar %v4 %x %one"));
  CHECK(may_fold("OpVectorTimesScalar %v4 %x %none"));
  CHECK_FALSE(may_fold("OpFOrdLessThan %bool %p %none"));
  CHECK(may_fold("OpFOrdLessThan %bool %none %one"));
  CHECK_FALSE(may_fold("OpSelect %float %true %p %q\n%w = OpIAdd %int %n %four"));
  CHECK(may_fold("OpIMul %int %n %zero"));
  CHECK(may_fold("OpExtInst %float %glsl FMax %one %one"));
  CHECK_FALSE(may_fold("OpExtInst %float %glsl FMax %p %one"));
  CHECK(may_fold("OpExtInst %float %glsl FClamp %p %none %one\n%c = OpFOrdLessThan %bool %v %none"));
}

TEST_CASE("phis are worth a try where they bring together one constant", "[spirv][work]") {
  const auto may_fold = [](const std::string& phi) {
    return works(
        CleanUp::propagate_constants,
        kX + kIf + "%then = OpLabel\nOpBranch %end\n%end = OpLabel\n%v = OpPhi %float " + phi + "\nOpStore %o %v\n");
  };
  CHECK(may_fold("%one %start %one %then"));
  CHECK_FALSE(may_fold("%one %start %none %then"));
  CHECK_FALSE(may_fold("%one %start %p %then"));
  CHECK(works(CleanUp::propagate_constants, loop("OpStore %o %one\nOpBranch %cont\n")));
}

TEST_CASE("steps that need branches or locals have no work without them", "[spirv][work]") {
  const std::string straight = kX + "OpStore %o %p\n";
  const std::string branches = kX + kIf + "%then = OpLabel\nOpStore %o %p\nOpBranch %end\n%end = OpLabel\n";
  const std::string local = "%t = OpVariable %local_v4 Function\n" + straight;
  const std::vector<CleanUp> before = {CleanUp::promote_locals};
  for (const CleanUp step : {CleanUp::remove_dead_branches, CleanUp::merge_blocks, CleanUp::unroll_marked_loops,
                             CleanUp::promote_locals, CleanUp::split_aggregates, CleanUp::inline_functions})
    CHECK_FALSE(works(step, straight, before));
  CHECK(works(CleanUp::promote_locals, local));
  CHECK_FALSE(works(CleanUp::split_aggregates, local));
  CHECK(works(CleanUp::unroll_marked_loops, branches));
  for (const CleanUp step : {CleanUp::remove_dead_branches, CleanUp::merge_blocks}) {
    CHECK(works(step, branches, before));
  }
  CHECK_FALSE(works(CleanUp::remove_dead_branches, branches));
}

TEST_CASE("modules with debug instructions are left to SPIRV-Tools", "[spirv][work]") {
  CHECK(is_plain(shader(kX + "OpStore %o %p\n")));
  CHECK_FALSE(is_plain(shader(kX + "OpNoLine\nOpStore %o %p\n")));
}

}  // namespace
}  // namespace varylink::spirv
