// Loops that are written out, assembly in, assembly out.
#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/counted_loops.h"
#include "spirv/cleanup/loop_nest.h"
#include "support/catch.h"
#include "support/step_shader.h"

namespace varylink::spirv {
namespace {

using test::check_listing;
using test::kX;
using test::shader;

constexpr std::uint32_t kMaxRounds = 32;
const std::string kInts =
    "%i1 = OpConstant %int 1\n%i2 = OpConstant %int 2\n%i3 = OpConstant %int 3\n%i8 = OpConstant %int 8\n"
    "%i90 = OpConstant %int 90\n";

std::vector<Id> headers_of(const Module& module) {
  std::vector<Id> headers;
  for (const Block& block : module.functions[0].blocks)
    if (loop_merge(module, block)) headers.push_back(block.label);
  return headers;
}

void check_unrolled(const std::string& code, const std::string& checks, const std::string& annotations = {}) {
  Module module = shader(code, annotations, kInts);
  unroll_loops(module, 0, headers_of(module), kMaxRounds);
  check_listing(module, checks);
}

// for (i = 0; i < `bound`; i += `step`) r *= q, from r = p; stored to %o.
std::string product(const std::string& bound, const std::string& step, const std::string& compare = "OpSLessThan") {
  return kX +
         "OpBranch %head\n%head = OpLabel\n%i = OpPhi %int %zero %start %next %cont\n"
         "%r = OpPhi %float %p %start %m %cont\nOpLoopMerge %end %cont None\nOpBranch %test\n%test = OpLabel\n%c = " +
         compare + " %bool %i " + bound +
         "\nOpBranchConditional %c %body %end\n%body = OpLabel\n%m = OpFMul %float %r %q\nOpBranch %cont\n"
         "%cont = OpLabel\n%next = OpIAdd %int %i " +
         step + "\nOpBranch %head\n%end = OpLabel\nOpStore %o %r\n";
}

TEST_CASE("a loop with a known number of rounds is written out", "[spirv][unroll]") {
  check_unrolled(product("%i3", "%i1"),
                 "COUNT 3: OpFMul %float\nCOUNT 0: OpPhi\nCOUNT 0: OpLoopMerge\nOpFMul\nOpStore");
  check_unrolled(product("%i3", "%i2"), "COUNT 2: OpFMul %float\nCOUNT 0: OpLoopMerge");
  check_unrolled(product("%zero", "%i1"), "COUNT 0: OpFMul\nOpStore %o %p");
  check_unrolled(product("%i8", "%i2", "OpINotEqual"), "COUNT 4: OpFMul %float\nCOUNT 0: OpLoopMerge");
}

TEST_CASE("loops that run long, or for ever, stay", "[spirv][unroll]") {
  check_unrolled(product("%i90", "%i1"), "COUNT 1: OpFMul\nCOUNT 1: OpLoopMerge");
  check_unrolled(product("%i3", "%zero"), "COUNT 1: OpLoopMerge");
  check_unrolled(product("%i3", "%i2", "OpINotEqual"), "COUNT 1: OpLoopMerge");
}

TEST_CASE("copies that unrolling makes have the decorations of the original", "[spirv][unroll]") {
  check_unrolled(product("%i3", "%i1"), "COUNT 3: NoContraction\nCOUNT 3: OpFMul %float",
                 "OpDecorate %m NoContraction\n");
}

TEST_CASE("a loop that tests at its end runs once at least", "[spirv][unroll]") {
  const auto until = [](const std::string& bound) {
    return kX +
           "OpBranch %head\n%head = OpLabel\n%i = OpPhi %int %zero %start %next %head\n"
           "%r = OpPhi %float %p %start %m %head\n%m = OpFMul %float %r %q\n%next = OpIAdd %int %i %i1\n"
           "%c = OpSLessThan %bool %next " +
           bound + "\nOpLoopMerge %end %head None\nOpBranchConditional %c %head %end\n%end = OpLabel\nOpStore %o %m\n";
  };
  check_unrolled(until("%i3"), "COUNT 3: OpFMul %float\nCOUNT 0: OpLoopMerge\nOpStore %o %m");
  check_unrolled(until("%zero"),
                 "COUNT 1: OpFMul %float\n%m = OpFMul %float %p %q\nCOUNT 0: OpLoopMerge\nOpStore %o %m");
}

TEST_CASE("branches inside of a loop are copied with it, and so is what ends the invocation", "[spirv][unroll]") {
  const std::string head = kX +
                           "%d = OpFOrdLessThan %bool %p %q\nOpBranch %head\n%head = OpLabel\n"
                           "%i = OpPhi %int %zero %start %next %cont\n%r = OpPhi %float %p %start %m %cont\n"
                           "OpLoopMerge %end %cont None\nOpBranch %test\n%test = OpLabel\n"
                           "%c = OpSLessThan %bool %i %i3\nOpBranchConditional %c %body %end\n%body = OpLabel\n"
                           "OpSelectionMerge %both None\nOpBranchConditional %d %then %both\n%then = OpLabel\n";
  const std::string tail =
      "OpBranch %cont\n%cont = OpLabel\n%next = OpIAdd %int %i %i1\nOpBranch %head\n"
      "%end = OpLabel\nOpStore %o %r\n";
  check_unrolled(
      head + "%t = OpFMul %float %r %q\nOpBranch %both\n%both = OpLabel\n%m = OpPhi %float %r %body %t %then\n" + tail,
      "COUNT 3: OpPhi\nCOUNT 3: OpSelectionMerge\nCOUNT 0: OpLoopMerge");
  check_unrolled(head + "OpKill\n%both = OpLabel\n%m = OpFMul %float %r %q\n" + tail,
                 "COUNT 3: OpKill\nCOUNT 3: OpSelectionMerge\nCOUNT 0: OpLoopMerge");
  check_unrolled(head + "OpBranch %end\n%both = OpLabel\n%m = OpFMul %float %r %q\n" + tail, "COUNT 1: OpLoopMerge");
  check_unrolled(head +
                     "OpBranch %cont\n%both = OpLabel\n%t = OpFMul %float %r %q\nOpBranch %cont\n%cont = OpLabel\n"
                     "%m = OpPhi %float %r %then %t %both\n%next = OpIAdd %int %i %i1\nOpBranch %head\n%end = OpLabel\n"
                     "OpStore %o %r\n",
                 "COUNT 1: OpLoopMerge");
}

TEST_CASE("a way out that a selection is around is one", "[spirv][unroll]") {
  check_unrolled(kX + "OpBranch %head\n%head = OpLabel\n%i = OpPhi %int %zero %start %next %cont\n"
                      "%r = OpPhi %float %p %start %m %cont\nOpLoopMerge %end %cont None\nOpBranch %body\n"
                      "%body = OpLabel\n%m = OpFMul %float %r %q\n%c = OpSGreaterThan %bool %i %i2\n"
                      "OpSelectionMerge %on None\nOpBranchConditional %c %out %on\n%out = OpLabel\n"
                      "%t = OpFAdd %float %m %q\nOpBranch %end\n%on = OpLabel\nOpBranch %cont\n%cont = OpLabel\n"
                      "%next = OpIAdd %int %i %i1\nOpBranch %head\n%end = OpLabel\nOpStore %o %t\n",
                 "COUNT 4: OpFMul %float\nCOUNT 1: OpFAdd\nCOUNT 0: OpLoopMerge\nCOUNT 0: OpSelectionMerge");
}

// Loops of %i2 rounds in each other, the innermost one with `body`, which leaves %m.
std::string nest(int depth, const std::string& body) {
  std::string before, behind, value = "%p", entry = "%start", count;
  for (int d = 0; d < depth; ++d) {
    const std::string n = std::to_string(d);
    before += "OpBranch %head" + n + "\n%head" + n + " = OpLabel\n%i" + n + "_ = OpPhi %int %zero " + entry + " %next" +
              n + " %cont" + n + "\n%r" + n + " = OpPhi %float " + value + " " + entry + " %s" + n + " %cont" + n +
              "\nOpLoopMerge %end" + n + " %cont" + n + " None\nOpBranch %test" + n + "\n%test" + n + " = OpLabel\n%c" +
              n + " = OpSLessThan %bool %i" + n + "_ %i2\nOpBranchConditional %c" + n + " %body" + n + " %end" + n +
              "\n%body" + n + " = OpLabel\n";
    value = "%r" + n;
    entry = "%body" + n;
    const std::string inner = d + 1 == depth ? "%m" : "%r" + std::to_string(d + 1);
    behind = "OpBranch %cont" + n + "\n%cont" + n + " = OpLabel\n%s" + n + " = OpCopyObject %float " + inner +
             "\n%next" + n + " = OpIAdd %int %i" + n + "_ %i1\nOpBranch %head" + n + "\n%end" + n + " = OpLabel\n" +
             behind;
  }
  return kX + before + body + behind + "OpStore %o %r0\n";
}

TEST_CASE("loops in loops are written out from the inside", "[spirv][unroll]") {
  check_unrolled(nest(3, "%m = OpFMul %float %r2 %q\n"),
                 "COUNT 8: OpFMul %float\nCOUNT 0: OpPhi\nCOUNT 0: OpLoopMerge");
}

TEST_CASE("a loop that stays is copied with the one around it", "[spirv][unroll]") {
  Module module = shader(nest(2, "%m = OpFMul %float %r1 %q\n"), {}, kInts);
  const std::vector<Id> headers = headers_of(module);
  REQUIRE(headers.size() == 2);
  unroll_loops(module, 0, std::span(headers).first(1), kMaxRounds);
  check_listing(module, "COUNT 2: OpFMul %float\nCOUNT 2: OpLoopMerge\nCOUNT 4: OpPhi");
}

TEST_CASE("what writing out loops in loops makes is known before", "[spirv][unroll]") {
  const Module module = shader(nest(3, "%m = OpFMul %float %r2 %q\n"), {}, kInts);
  const LoopNest nested(module, module.functions[0], kMaxRounds);
  REQUIRE(nested.loops().size() == 3);
  for (const LoopNest::Loop& loop : nested.loops()) CHECK(loop.rounds == 3);  // twice to stay, once to leave
  const std::size_t none = nested.size_with({false, false, false}), all = nested.size_with({true, true, true});
  CHECK(none == nested.size_with({false, false, false}));
  CHECK(all > 20 * nested.loops()[2].own_size);
  CHECK(nested.size_with({false, false, true}) - none == 2 * nested.loops()[2].own_size);
}

}  // namespace
}  // namespace varylink::spirv
