#include "analysis/schedule.h"

#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::analysis {
namespace {

constexpr const char* kHead = R"(
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %a %b %f %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %a Location 0
OpDecorate %b Location 1
OpDecorate %f Location 2
OpDecorate %f Flat
OpDecorate %out Location 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %u DescriptorSet 0
OpDecorate %u Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%v2 = OpTypeVector %float 2
%v3 = OpTypeVector %float 3
%v4 = OpTypeVector %float 4
%pi = OpTypePointer Input %v4
%pif = OpTypePointer Input %float
%po = OpTypePointer Output %v4
%pof = OpTypePointer Output %float
%block = OpTypeStruct %v4
%pub = OpTypePointer Uniform %block
%pu = OpTypePointer Uniform %v4
%a = OpVariable %pi Input
%b = OpVariable %pi Input
%f = OpVariable %pif Input
%out = OpVariable %po Output
%u = OpVariable %pub Uniform
%zero = OpConstant %float 0
%one = OpConstant %float 1
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%i3 = OpConstant %int 3
%main = OpFunction %void None %fn
%entry = OpLabel
)";

// One slot for everything that is an operation, `delay` slots after every operation but stores; uniforms cost nothing.
CostProfile simple(std::uint32_t delay) {
  CostProfile profile;
  for (ClassCost& cost : profile.classes) cost = {1, delay};
  profile[OpClass::free] = profile[OpClass::uniform_load] = {0, 0};
  profile[OpClass::output_store].delay = 0;
  profile.register_budget = 1000;
  return profile;
}

StageCost cost_of_body(const std::string& body, const CostProfile& profile) {
  const auto words = spirv::assemble(kHead + body + "OpFunctionEnd\n", spirv::TargetEnv::vulkan1_0, "test");
  REQUIRE(words);
  const auto valid = spirv::validate(*words, {}, "test");
  INFO((valid ? std::string() : render(valid.error())));
  REQUIRE(valid);
  const Result<spirv::Module> module = spirv::read_module(*words, "test");
  REQUIRE(module);
  const spirv::EntryPoint entry = module->entries().front();
  return schedule(operation_graph(*module, entry.function, entry.model, profile), profile);
}

void check(const StageCost& cost, const StageCost& expected) {
  CHECK(cost.instructions == expected.instructions);
  CHECK(cost.slots == expected.slots);
  CHECK(cost.critical_path == expected.critical_path);
  CHECK(cost.peak_live == expected.peak_live);
}

TEST_CASE("an empty stage costs nothing", "[analysis]") { check(cost_of_body("OpReturn\n", simple(3)), {0, 0, 0, 0}); }

TEST_CASE("a chain waits for each of its delays", "[analysis]") {
  // load, add, add, add, store of one component; three delay slots behind each of the first four
  const char* body =
      "%p = OpAccessChain %pif %a %i0\n%x = OpLoad %float %p\n%s = OpFAdd %float %x %one\n%t = OpFAdd %float %s %one\n"
      "%v = OpFAdd %float %t %one\n%q = OpAccessChain %pof %out %i0\nOpStore %q %v\nOpReturn\n";
  check(cost_of_body(body, simple(0)), {5, 5, 5, 1});
  check(cost_of_body(body, simple(3)), {5, 17, 17, 1});
}

TEST_CASE("independent chains fill each other's delay slots", "[analysis]") {
  // Four components: 4 loads, 4 additions, 4 stores. With three delay slots the four chains interleave without a gap.
  const char* body = "%x = OpLoad %v4 %a\n%s = OpFAdd %v4 %x %x\nOpStore %out %s\nOpReturn\n";
  check(cost_of_body(body, simple(3)), {12, 12, 9, 4});
  // Two components leave two of the three slots empty, twice.
  const char* half =
      "%x = OpLoad %v4 %a\n%s = OpFAdd %v4 %x %x\n%p = OpAccessChain %pof %out %i0\n%s0 = OpCompositeExtract %float %s "
      "0\n"
      "OpStore %p %s0\n%q = OpAccessChain %pof %out %i1\n%s1 = OpCompositeExtract %float %s 1\nOpStore %q %s1\n"
      "OpReturn\n";
  check(cost_of_body(half, simple(3)), {6, 10, 9, 2});
}

TEST_CASE("a dot product is a chain of sums", "[analysis]") {
  // 4 products of 8 loaded components, then 3 sums, one after the other, and a store
  const char* body =
      "%x = OpLoad %v4 %a\n%y = OpLoad %v4 %b\n%d = OpDot %float %x %y\n%p = OpAccessChain %pof %out %i0\nOpStore %p "
      "%d\nOpReturn\n";
  const StageCost cost = cost_of_body(body, simple(0));
  CHECK(cost.instructions == 8 + 4 + 3 + 1);
  CHECK(cost.slots == 16);
  CHECK(cost.critical_path == 1 + 1 + 3 + 1);
}

TEST_CASE("components that nobody needs are not there", "[analysis]") {
  const char* body =
      "%x = OpLoad %v4 %a\n%y = OpLoad %v4 %b\n%s = OpFMul %v4 %x %y\n%w = OpCompositeExtract %float %s 3\n"
      "%p = OpAccessChain %pof %out %i0\nOpStore %p %w\nOpReturn\n";
  check(cost_of_body(body, simple(0)), {4, 4, 3, 2});
}

TEST_CASE("a component that is read twice is read once", "[analysis]") {
  const char* body =
      "%x = OpLoad %v4 %a\n%p = OpAccessChain %pif %a %i3\n%w = OpLoad %float %p\n%s = OpCompositeExtract %float %x 3\n"
      "%m = OpFMul %float %w %s\n%q = OpAccessChain %pof %out %i0\nOpStore %q %m\nOpReturn\n";
  check(cost_of_body(body, simple(0)), {3, 3, 3, 1});
}

TEST_CASE("uniforms for nothing are no instructions and live nowhere", "[analysis]") {
  const char* body = "%p = OpAccessChain %pu %u %i0\n%x = OpLoad %v4 %p\nOpStore %out %x\nOpReturn\n";
  check(cost_of_body(body, simple(0)), {4, 4, 1, 0});
  CostProfile loads = simple(0);
  loads[OpClass::uniform_load] = {2, 0};
  check(cost_of_body(body, loads), {8, 12, 3, 4});
}

TEST_CASE("flat inputs are not interpolated", "[analysis]") {
  CostProfile profile = simple(0);
  profile[OpClass::interpolated_load] = {5, 0};
  const std::string store = "%q = OpAccessChain %pof %out %i0\nOpStore %q %x\nOpReturn\n";
  CHECK(cost_of_body("%x = OpLoad %float %f\n" + store, profile).slots == 2);
  CHECK(cost_of_body("%p = OpAccessChain %pif %a %i0\n%x = OpLoad %float %p\n" + store, profile).slots == 6);
}

TEST_CASE("a special function unit makes basic results wait longer", "[analysis]") {
  CostProfile profile = simple(3);
  profile.delay_into_slow_units = 6;
  // load, 3 empty, add, 6 empty, sqrt, 3 empty, store
  const char* body =
      "%p = OpAccessChain %pif %a %i0\n%x = OpLoad %float %p\n%s = OpFAdd %float %x %one\n"
      "%r = OpExtInst %float %glsl Sqrt %s\n%q = OpAccessChain %pof %out %i0\nOpStore %q %r\nOpReturn\n";
  check(cost_of_body(body, profile), {4, 16, 16, 1});
}

std::string branch_with(const std::string& side) {
  return "%x = OpLoad %float %f\n%c = OpFOrdLessThan %bool %x %one\nOpSelectionMerge %end None\n"
         "OpBranchConditional %c %yes %no\n%yes = OpLabel\n" +
         side +
         "OpBranch %end\n%no = OpLabel\n%t = OpFMul %float %x %x\nOpBranch %end\n"
         "%end = OpLabel\n%r = OpPhi %float %s %yes %t %no\n%q = OpAccessChain %pof %out %i0\nOpStore %q "
         "%r\nOpReturn\n";
}

TEST_CASE("both arms of a branch count, and what only one needs does not add up", "[analysis]") {
  const std::string roots =
      "%a0 = OpExtInst %float %glsl Sqrt %x\n%a1 = OpExtInst %float %glsl Sqrt %a0\n%s = OpExtInst %float %glsl Sqrt "
      "%a1\n";
  // load, compare, branch, three roots, multiply, store; along the data: load, roots, store. x lives beside the
  // comparison.
  check(cost_of_body(branch_with(roots), simple(0)), {8, 8, 5, 2});
}

TEST_CASE("a short branch is scheduled as a selection", "[analysis]") {
  // load, compare, add, multiply, select, store; along the data: load, add, select, store. Three live in front of it.
  check(cost_of_body(branch_with("%s = OpFAdd %float %x %one\n"), simple(0)), {6, 6, 4, 3});
}

// A loop that adds x to a sum three times; x is defined in front of it.
constexpr const char* kLoop =
    "%x = OpLoad %float %f\n%y = OpFAdd %float %x %one\nOpBranch %head\n"
    "%head = OpLabel\n%i = OpPhi %int %i0 %entry %j %body\n%s = OpPhi %float %zero %entry %t %body\n"
    "OpLoopMerge %end %body None\nOpBranch %test\n"
    "%test = OpLabel\n%c = OpSLessThan %bool %i %i3\nOpBranchConditional %c %body %end\n"
    "%body = OpLabel\n%t = OpFAdd %float %s %y\n%j = OpIAdd %int %i %i1\nOpBranch %head\n"
    "%end = OpLabel\n%q = OpAccessChain %pof %out %i0\nOpStore %q %s\nOpReturn\n";

TEST_CASE("a loop counts once", "[analysis]") {
  // load, add | compare, branch | add, add | store. y is alive to the end of the loop, beside i and s: while the
  // condition is there, four.
  check(cost_of_body(kLoop, simple(0)), {7, 7, 3, 4});
}

TEST_CASE("a full register file makes the schedule free registers first", "[analysis]") {
  // Four independent chains load, add, store. Free to choose, all loads go first; with one register each chain ends
  // before the next begins.
  const char* body = "%x = OpLoad %v4 %a\n%s = OpFAdd %v4 %x %x\nOpStore %out %s\nOpReturn\n";
  CostProfile profile = simple(0);
  CHECK(cost_of_body(body, profile).peak_live == 4);
  profile.register_budget = 1;
  check(cost_of_body(body, profile), {12, 12, 3, 1});
}

}  // namespace
}  // namespace varylink::analysis
