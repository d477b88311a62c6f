#include "analysis/stage_work.h"

#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::analysis {
namespace {

constexpr const char* kDeclarations = R"(
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %uv %half %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %uv Location 0
OpDecorate %half Location 1
OpDecorate %half Component 1
OpDecorate %out Location 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %u DescriptorSet 0
OpDecorate %u Binding 0
OpDecorate %t DescriptorSet 0
OpDecorate %t Binding 1
)";
constexpr const char* kTypes = R"(%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%v2 = OpTypeVector %float 2
%v4 = OpTypeVector %float 4
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%pi = OpTypePointer Input %v2
%po = OpTypePointer Output %v4
%pof = OpTypePointer Output %float
%pt = OpTypePointer UniformConstant %sampled
%block = OpTypeStruct %v4
%pub = OpTypePointer Uniform %block
%pu = OpTypePointer Uniform %v4
%uv = OpVariable %pi Input
%half = OpVariable %pi Input
%out = OpVariable %po Output
%u = OpVariable %pub Uniform
%t = OpVariable %pt UniformConstant
%bool = OpTypeBool
%m4 = OpTypeMatrix %v4 4
%zero = OpConstant %float 0
%one = OpConstant %float 1
%i3 = OpConstant %int 3
%i4 = OpConstant %int 4
%two = OpConstant %float 2
%i0 = OpConstant %int 0
%st = OpTypeStruct %v2 %float %float
%pair = OpConstantComposite %v2 %zero %zero
%members = OpConstantComposite %st %pair %two %one
%main = OpFunction %void None %fn
%entry = OpLabel
)";

OperationCounts counts_of(const std::string& body, const std::string& decorations = "") {
  const auto words = spirv::assemble(kDeclarations + decorations + kTypes + body + "OpReturn\nOpFunctionEnd\n",
                                     spirv::TargetEnv::vulkan1_0, "test");
  REQUIRE(words);
  const auto valid = spirv::validate(*words, {}, "test");
  INFO((valid ? std::string() : render(valid.error())));
  REQUIRE(valid);
  const Result<spirv::Module> module = spirv::read_module(*words, "test");
  REQUIRE(module);
  const spirv::EntryPoint entry = module->entries().front();
  return count_operations(operation_graph(*module, entry.function, entry.model, default_profile()));
}

std::uint32_t all(const OperationCounts& counts, OpClass op_class) {
  return counts.all[static_cast<std::size_t>(op_class)];
}
std::uint32_t uniform(const OperationCounts& counts, OpClass op_class) {
  return counts.uniform[static_cast<std::size_t>(op_class)];
}

const std::string kStoreSum = "%q = OpAccessChain %pof %out %i0\nOpStore %q %sum\n";
const std::string kParts =
    "%c = OpLoad %v2 %uv\n%x = OpCompositeExtract %float %c 0\n%y = OpCompositeExtract %float %c 1\n";

TEST_CASE("what is made of constants costs nothing, whether or not we fold it", "[analysis]") {
  const OperationCounts counts = counts_of(
      "%e = OpExtInst %float %glsl Exp %one\n%s = OpFMul %float %e %one\n%v = OpCompositeConstruct %v4 %s %e %s %s\n"
      "OpStore %out %v\n");
  const OperationCounts stored = counts_of("%v = OpCompositeConstruct %v4 %one %one %one %one\nOpStore %out %v\n");
  CHECK(counts.all == stored.all);
}

TEST_CASE("a product and the sum that alone uses it are one operation", "[analysis]") {
  const auto fused = counts_of(kParts + "%m = OpFMul %float %x %y\n%sum = OpFAdd %float %m %x\n" + kStoreSum);
  CHECK(all(fused, OpClass::basic) == 1);
  const auto exact = counts_of(kParts + "%exact = OpFMul %float %x %y\n%sum = OpFAdd %float %exact %x\n" + kStoreSum,
                               "OpDecorate %exact NoContraction\n");
  CHECK(all(exact, OpClass::basic) == 2);
  const auto twice = counts_of(
      kParts + "%m = OpFMul %float %x %y\n%a = OpFAdd %float %m %x\n%sum = OpFAdd %float %m %a\n" + kStoreSum);
  CHECK(all(twice, OpClass::basic) == 3);
}

TEST_CASE("what is made of uniforms alone is uniform, and four words are one load", "[analysis]") {
  const auto counts =
      counts_of("%p = OpAccessChain %pu %u %i0\n%v = OpLoad %v4 %p\n%s = OpFAdd %v4 %v %v\nOpStore %out %s\n");
  CHECK(all(counts, OpClass::basic) == 4);
  CHECK(uniform(counts, OpClass::basic) == 4);
  CHECK(all(counts, OpClass::uniform_load) == 1);
  CHECK(uniform(counts, OpClass::output_store) == 0);
  CostProfile profile;
  for (ClassCost& each : profile.classes) each.cost = 0;
  profile[OpClass::basic].cost = 2;
  CHECK(work_of(counts, profile) == 8);
  profile.uniform_share = 0.25;
  CHECK(work_of(counts, profile) == 2);
}

TEST_CASE("varyings count by component and by location", "[analysis]") {
  const auto counts = counts_of(kParts + "%sum = OpFAdd %float %x %y\n" + kStoreSum);
  CHECK(all(counts, OpClass::interpolated_load) == 2);
  CHECK(all(counts, OpClass::input_location) == 1);
  CHECK(all(counts, OpClass::output_store) == 1);
  CHECK(all(counts, OpClass::output_location) == 1);
  CHECK(all(counts, OpClass::stage) == 1);
}

TEST_CASE("stores of what is there count apart", "[analysis]") {
  const auto counts = counts_of("%q = OpAccessChain %pof %out %i0\nOpStore %q %one\n");
  CHECK(all(counts, OpClass::constant_store) == 1);
  CHECK(all(counts_of(kParts + "%sum = OpFAdd %float %x %y\n" + kStoreSum), OpClass::constant_store) == 0);
}

TEST_CASE("stores of what another component has, too, count apart", "[analysis]") {
  const auto counts = counts_of(kParts + "%v = OpCompositeConstruct %v4 %x %x %y %one\nOpStore %out %v\n");
  CHECK(all(counts, OpClass::repeated_store) == 1);
  CHECK(all(counts, OpClass::constant_store) == 1);
  CHECK(all(counts_of(kParts + "%v = OpCompositeConstruct %v4 %x %y %one %one\nOpStore %out %v\n"),
            OpClass::repeated_store) == 0);
}

TEST_CASE("inputs that are stored count as copied where other values are stored beside them", "[analysis]") {
  const auto beside = counts_of(kParts + "%v = OpCompositeConstruct %v4 %x %y %one %two\nOpStore %out %v\n");
  CHECK(all(beside, OpClass::copied_store) == 2);
  CHECK(all(beside, OpClass::constant_store) == 2);
  const auto turned = counts_of(kParts + "%v = OpCompositeConstruct %v4 %y %x %one %two\nOpStore %out %v\n");
  CHECK(all(turned, OpClass::copied_store) == 2);
  const auto alone = counts_of(kParts + "%q = OpAccessChain %pof %out %i0\nOpStore %q %x\n");
  CHECK(all(alone, OpClass::copied_store) == 0);
}

const std::string kStorePosition = "%v = OpMatrixTimesVector %v4 %m %p\nOpStore %out %v\n";

TEST_CASE("products and sums with 0 and 1 are no operations unless they are exact", "[analysis]") {
  const std::string matrix =
      kParts + "%a = OpCompositeConstruct %v4 %x %y %x %y\n%m = OpCompositeConstruct %m4 %a %a %a %a\n";
  const std::string position = "%p = OpCompositeConstruct %v4 %x %y %zero %one\n";
  CHECK(all(counts_of(matrix + position + kStorePosition), OpClass::basic) == 4 * 3);
  const auto exact = counts_of(matrix + position + kStorePosition, "OpDecorate %v NoContraction\n");
  CHECK(all(exact, OpClass::basic) == 4 * 7);
  const auto product = counts_of(kParts + "%sum = OpFMul %float %x %one\n" + kStoreSum);
  CHECK(all(product, OpClass::basic) == 0);
  const auto other = counts_of(kParts + "%sum = OpFMul %float %x %two\n" + kStoreSum);
  CHECK(all(other, OpClass::basic) == 1);
  const auto negated = counts_of(kParts + "%n = OpFNegate %float %one\n%sum = OpFAdd %float %x %n\n" + kStoreSum);
  CHECK(all(negated, OpClass::basic) == 1);
}

TEST_CASE("members of a constant of several sizes are told apart", "[analysis]") {
  const auto product_with = [](const char* member) {
    return all(counts_of(kParts + "%factor = OpCompositeExtract %float %members " + member +
                         "\n%sum = OpFMul %float %x %factor\n" + kStoreSum),
               OpClass::basic);
  };
  CHECK(product_with("1") == 1);
  CHECK(product_with("2") == 0);
}

TEST_CASE("a clamp from 0 to 1 is part of the operation in front of it", "[analysis]") {
  const std::string sum = kParts + "%s = OpFAdd %float %x %y\n";
  CHECK(all(counts_of(sum + "%sum = OpExtInst %float %glsl FClamp %s %zero %one\n" + kStoreSum), OpClass::basic) == 1);
  CHECK(all(counts_of(sum + "%sum = OpExtInst %float %glsl FClamp %s %zero %two\n" + kStoreSum), OpClass::basic) == 3);
  CHECK(all(counts_of(kParts + "%sum = OpExtInst %float %glsl FClamp %x %zero %one\n" + kStoreSum), OpClass::basic) ==
        2);
}

TEST_CASE("what divides is looked at", "[analysis]") {
  const std::string whole = kParts + "%i = OpConvertFToS %int %x\n%j = OpConvertFToS %int %y\n";
  const std::string store = "%sum = OpConvertSToF %float %d\n" + kStoreSum;
  CHECK(all(counts_of(whole + "%d = OpSDiv %int %i %j\n" + store), OpClass::integer_divide) == 1);
  const auto shifted = counts_of(whole + "%d = OpSDiv %int %i %i4\n" + store);
  CHECK(all(shifted, OpClass::integer_divide) == 0);
  CHECK(all(shifted, OpClass::integer_multiply) == 0);
  CHECK(all(counts_of(whole + "%d = OpSDiv %int %i %i3\n" + store), OpClass::integer_multiply) == 1);
  CHECK(all(counts_of(whole + "%d = OpIMul %int %i4 %i\n" + store), OpClass::integer_multiply) == 0);
  CHECK(all(counts_of(kParts + "%sum = OpFDiv %float %x %two\n" + kStoreSum), OpClass::float_divide) == 0);
  CHECK(all(counts_of(kParts + "%sum = OpFDiv %float %two %x\n" + kStoreSum), OpClass::float_divide) == 1);
}

TEST_CASE("coordinates that are inputs as they are count apart, and split ones do", "[analysis]") {
  const std::string fetch = "%s = OpLoad %sampled %t\n%v = OpImageSampleImplicitLod %v4 %s %c\nOpStore %out %v\n";
  const auto whole = counts_of("%c = OpLoad %v2 %uv\n" + fetch);
  CHECK(all(whole, OpClass::fetched_load) == 2);
  CHECK(all(whole, OpClass::interpolated_load) == 0);
  CHECK(all(whole, OpClass::split_coordinate) == 0);
  CHECK(all(counts_of("%c = OpLoad %v2 %half\n" + fetch), OpClass::split_coordinate) == 1);
  const auto mixed =
      counts_of("%a = OpLoad %v2 %uv\n%b = OpLoad %v2 %half\n%c = OpVectorShuffle %v2 %a %b 0 2\n" + fetch);
  CHECK(all(mixed, OpClass::split_coordinate) == 1);
  CHECK(all(mixed, OpClass::computed_coordinate) == 0);
}

TEST_CASE("accesses that share the coordinate of another one count apart", "[analysis]") {
  const auto fetches = [](const std::string& second) {
    return counts_of(
        "%c = OpLoad %v2 %uv\n%d = OpLoad %v2 %half\n%i = OpLoad %sampled %t\n"
        "%r = OpImageSampleImplicitLod %v4 %i %c\n%s = OpImageSampleImplicitLod %v4 %i %" +
        second + "\n%o = OpFAdd %v4 %r %s\nOpStore %out %o\n");
  };
  CHECK(all(fetches("c"), OpClass::shared_coordinate) == 1);
  CHECK(all(fetches("d"), OpClass::shared_coordinate) == 0);
}

TEST_CASE("inputs that are only passed on count apart", "[analysis]") {
  const std::string store = "%q = OpAccessChain %pof %out %i0\nOpStore %q %x\n";
  CHECK(all(counts_of(kParts + store), OpClass::passed_load) == 1);
  CHECK(all(counts_of(kParts + store), OpClass::interpolated_load) == 0);
  CHECK(all(counts_of(kParts + "%sum = OpFAdd %float %x %y\n" + kStoreSum), OpClass::passed_load) == 0);
}

TEST_CASE("coordinates that are computed count apart", "[analysis]") {
  const std::string fetch = "%s = OpLoad %sampled %t\n%v = OpImageSampleImplicitLod %v4 %s %c\nOpStore %out %v\n";
  const std::string in = "%a = OpLoad %v2 %uv\n";
  CHECK(all(counts_of("%c = OpLoad %v2 %uv\n" + fetch), OpClass::computed_coordinate) == 0);
  CHECK(all(counts_of(in + "%c = OpFAdd %v2 %a %a\n" + fetch), OpClass::computed_coordinate) == 1);
  const auto half_computed = counts_of(in + "%b = OpFAdd %v2 %a %a\n%c = OpVectorShuffle %v2 %a %b 0 3\n" + fetch);
  CHECK(all(half_computed, OpClass::computed_coordinate) == 1);
  CHECK(all(half_computed, OpClass::split_coordinate) == 0);
  const auto same_for_all = counts_of("%c = OpCompositeConstruct %v2 %one %one\n" + fetch);
  CHECK(all(same_for_all, OpClass::computed_coordinate) == 0);
}

// A branch on `y < x` with these two sides, and what follows.
std::string branch(const std::string& a, const std::string& b, const std::string& behind) {
  return kParts + "%c0 = OpFOrdLessThan %bool %y %x\nOpSelectionMerge %merge None\nOpBranchConditional %c0 %a %b\n" +
         "%a = OpLabel\n" + a + "OpBranch %merge\n%b = OpLabel\n" + b + "OpBranch %merge\n%merge = OpLabel\n" + behind;
}

TEST_CASE("a short branch that only computes costs what the selection does", "[analysis]") {
  const auto selection = counts_of(kParts +
                                   "%c0 = OpFOrdLessThan %bool %y %x\n%d = OpFAdd %float %x %x\n"
                                   "%e = OpFMul %float %y %y\n%sum = OpSelect %float %c0 %d %e\n" +
                                   kStoreSum);
  const std::string sum = "%sum = OpPhi %float %d %a %e %b\n" + kStoreSum;
  CHECK(counts_of(branch("%d = OpFAdd %float %x %x\n", "%e = OpFMul %float %y %y\n", sum)) == selection);
  const auto stores =
      counts_of("%q = OpAccessChain %pof %out %i0\n" +
                branch("%d = OpFAdd %float %x %x\nOpStore %q %d\n", "%e = OpFMul %float %y %y\nOpStore %q %e\n", ""));
  CHECK(stores == selection);
}

TEST_CASE("a long branch, or one that reads a texture, is a branch", "[analysis]") {
  const std::string sum = "%sum = OpPhi %float %d %a %y %b\n" + kStoreSum;
  const auto roots =
      counts_of(branch("%f = OpExtInst %float %glsl Sqrt %x\n%g = OpExtInst %float %glsl Sqrt %f\n"
                       "%d = OpExtInst %float %glsl Sqrt %g\n",
                       "", sum));
  CHECK(all(roots, OpClass::branch) == 1);
  CHECK(all(roots, OpClass::basic) == 1);
  const auto texture = counts_of(
      branch("%s = OpLoad %sampled %t\n%v = OpImageSampleImplicitLod %v4 %s %c\n%d = OpCompositeExtract %float %v 0\n",
             "", sum));
  CHECK(all(texture, OpClass::branch) == 1);
}

TEST_CASE("a branch that goes to its merge either way is no selection", "[analysis]") {
  const auto counts = counts_of(kParts +
                                "%c0 = OpFOrdLessThan %bool %y %x\nOpBranch %head\n%head = OpLabel\n"
                                "OpSelectionMerge %merge None\nOpBranchConditional %c0 %merge %merge\n"
                                "%merge = OpLabel\n%sum = OpPhi %float %x %head\n" +
                                kStoreSum);
  CHECK(all(counts, OpClass::branch) == 1);
}

TEST_CASE("an output that is stored at several places is stored once", "[analysis]") {
  const std::string first = "%q = OpAccessChain %pof %out %i0\n" + kParts + "OpStore %q %x\n";
  CHECK(counts_of(first + "OpStore %q %y\n") == counts_of(first + "%z = OpFNegate %float %y\nOpStore %q %z\n"));
  CHECK(all(counts_of(first + "OpStore %q %y\n"), OpClass::output_store) == 1);
  const std::string constants =
      "%q = OpAccessChain %pof %out %i0\n" + branch("OpStore %q %one\n", "OpStore %q %two\n", "");
  CHECK(all(counts_of(constants), OpClass::basic) == 2);  // the comparison, and one constant or the other
  CHECK(all(counts_of(constants), OpClass::constant_store) == 0);
}

}  // namespace
}  // namespace varylink::analysis
