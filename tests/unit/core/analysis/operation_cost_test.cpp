#include "analysis/operation_cost.h"

#include <spirv/unified1/GLSL.std.450.h>

#include "spirv/ir/operations.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::analysis {
namespace {

using spv::Op;

Operation core(Op op, std::uint32_t results = 1, std::uint32_t length = 1, std::uint32_t width = 32) {
  Operation operation;
  operation.op = op;
  operation.results = results;
  operation.length = length;
  operation.width = width;
  return operation;
}

Operation glsl(std::uint32_t number, std::uint32_t results = 1, std::uint32_t length = 1, std::uint32_t width = 32) {
  Operation operation = core(Op::OpExtInst, results, length, width);
  operation.glsl = number;
  return operation;
}

double generic(const Operation& operation) { return cost_of(default_profile(), operation); }

TEST_CASE("component-wise operations cost once per component", "[analysis]") {
  CHECK(generic(core(Op::OpFAdd)) == 1);
  CHECK(generic(core(Op::OpFAdd, 4)) == 4);
  CHECK(generic(core(Op::OpVectorTimesScalar, 3)) == 3);
  CHECK(generic(core(Op::OpFDiv, 2)) == 10);
  CHECK(generic(core(Op::OpUDiv)) == 40);
  CHECK(generic(core(Op::OpIMul)) == 4);
  CHECK(generic(core(Op::OpIMul, 1, 1, 16)) == 1);
  CHECK(generic(glsl(GLSLstd450Sqrt, 3)) == 12);
  CHECK(generic(glsl(GLSLstd450Pow)) == 9);
  CHECK(generic(glsl(GLSLstd450FMix, 3)) == 6);
  CHECK(generic(glsl(GLSLstd450Fract, 2)) == 4);
}

TEST_CASE("by a constant, products and divisions are what compilers make of them", "[analysis]") {
  const auto by = [](Op op, RightOperand right, std::uint32_t width = 32) {
    Operation operation = core(op, 1, 1, width);
    operation.right = right;
    return generic(operation);
  };
  CHECK(by(Op::OpFDiv, RightOperand::constant) == 1);
  CHECK(by(Op::OpFMod, RightOperand::constant) == 3);
  CHECK(by(Op::OpUDiv, RightOperand::constant) == 6);
  CHECK(by(Op::OpSRem, RightOperand::constant) == 7);
  CHECK(by(Op::OpUMod, RightOperand::power_of_two) == 1);
  CHECK(by(Op::OpSDiv, RightOperand::power_of_two) == 4);
  CHECK(by(Op::OpIMul, RightOperand::power_of_two) == 1);
  CHECK(by(Op::OpIMul, RightOperand::constant) == 4);
  CHECK(by(Op::OpUDiv, RightOperand::power_of_two, 64) == by(Op::OpUDiv, RightOperand::variable, 64));
}

TEST_CASE("what only renames costs nothing", "[analysis]") {
  for (const Op op : {Op::OpCompositeConstruct, Op::OpCompositeExtract, Op::OpVectorShuffle, Op::OpBitcast,
                      Op::OpConstant, Op::OpPhi, Op::OpAccessChain, Op::OpFNegate, Op::OpVariable, Op::OpUndef})
    CHECK(generic(core(op, 4)) == 0);
  CHECK(generic(glsl(GLSLstd450FAbs, 4)) == 0);
}

TEST_CASE("a row without a statement costs what its kind does", "[analysis]") {
  const CostProfile& profile = default_profile();
  const auto cost = [&](Op op) { return cost_of(profile, core(op)); };
  CHECK(cost(Op::OpAtomicFAddEXT) == cost(Op::OpAtomicIAdd));
  CHECK(cost(Op::OpImageSparseRead) == cost(Op::OpImageFetch));
  CHECK(cost(Op::OpSetMeshOutputsEXT) == cost(Op::OpEmitVertex));
  CHECK(cost(Op::OpTypeFloat) == 0);
  CHECK(spirv::row_of(Op::OpFAdd).cost() == spirv::Cost::simple);
  CHECK(spirv::row_of(Op::OpIAdd).cost() == spirv::Cost::words);
  CHECK(spirv::row_of(Op::OpMatrixTimesVector).cost() == spirv::Cost::products);
  CHECK(spirv::row_of(Op::OpConvertSToF).cost() == spirv::Cost::simple);
  CHECK(spirv::row_of(Op::OpTypeEvent).cost() == spirv::Cost::other);
}

TEST_CASE("products and lengths are expanded", "[analysis]") {
  CHECK(generic(core(Op::OpDot, 1, 3)) == 5);                    // 3 products, 2 sums
  CHECK(generic(core(Op::OpMatrixTimesVector, 4, 4)) == 28);     // 4 dot products of 4
  CHECK(generic(core(Op::OpMatrixTimesMatrix, 16, 4)) == 112);   //
  CHECK(generic(glsl(GLSLstd450Length, 1, 3)) == 5 + 4);         // and a square root
  CHECK(generic(glsl(GLSLstd450Normalize, 3, 3)) == 5 + 4 + 3);  // and 3 products
  CHECK(generic(glsl(GLSLstd450Distance, 1, 2)) == 2 + 3 + 4);   // 2 differences first
}

TEST_CASE("64-bit operations have their own prices", "[analysis]") {
  CHECK(generic(core(Op::OpFAdd, 1, 1, 64)) == 16);
  CHECK(generic(core(Op::OpFDiv, 1, 1, 64)) == 80);
  CHECK(generic(core(Op::OpIAdd, 1, 1, 64)) == 2);
  CHECK(generic(core(Op::OpUDiv, 1, 1, 64)) == 80);
  CHECK(generic(glsl(GLSLstd450Sqrt, 1, 1, 64)) == 32);
}

TEST_CASE("loads and stores are priced by what they access", "[analysis]") {
  const CostProfile& tiler = *find_profile("tiler");
  Operation load = core(Op::OpLoad, 4);
  load.storage = spv::StorageClass::Uniform;
  CHECK(cost_of(tiler, load) == 4 * tiler[OpClass::uniform_load].cost);
  load.storage = spv::StorageClass::Input;
  load.interpolated = true;
  CHECK(cost_of(tiler, load) == 4 * tiler[OpClass::interpolated_load].cost);
  Operation store = core(Op::OpStore, 2);
  store.storage = spv::StorageClass::Output;
  CHECK(cost_of(tiler, store) == 2 * tiler[OpClass::output_store].cost);
}

constexpr const char* kModule = R"(
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %in %out
OpDecorate %in Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%v2 = OpTypeVector %float 2
%v3 = OpTypeVector %float 3
%m2x3 = OpTypeMatrix %v3 2
%pi = OpTypePointer Input %v2
%po = OpTypePointer Output %v3
%in = OpVariable %pi Input
%out = OpVariable %po Output
%one = OpConstant %float 1
%column = OpConstantComposite %v3 %one %one %one
%matrix = OpConstantComposite %m2x3 %column %column
%main = OpFunction %void None %fn
%label = OpLabel
%load = OpLoad %v2 %in
%product = OpMatrixTimesVector %v3 %matrix %load
%normal = OpExtInst %v3 %glsl Normalize %product
%length = OpExtInst %float %glsl Length %load
%dot = OpDot %float %normal %product
OpStore %out %normal
OpReturn
OpFunctionEnd
)";

TEST_CASE("sizes are read from the types of a module", "[analysis]") {
  const auto words = spirv::assemble(kModule, spirv::TargetEnv::vulkan1_0, "test");
  REQUIRE(words);
  const Result<spirv::Module> module = spirv::read_module(*words, "test");
  REQUIRE(module);
  std::vector<double> costs;
  for (const spirv::InstRef inst : module->functions.front().blocks.front().body)
    costs.push_back(cost_of(default_profile(), *module, inst));
  // load 2, matrix times vector 3 dots of 2, normalize, length of 2, dot of 3, store 3, return
  CHECK(costs == std::vector<double>{2, 9, 12, 7, 5, 3, 0});
}

}  // namespace
}  // namespace varylink::analysis
