#include "spirv/ir/product_shape.h"

#include <vector>

#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::spirv {
namespace {

// Sizes of every instruction that has them, in the order of the code.
std::vector<ProductShape> shapes_in(const std::string& code) {
  const auto words = assemble(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\"\n"
      "OpExecutionMode %main OriginUpperLeft\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f = OpTypeFloat 32\n"
      "%v2 = OpTypeVector %f 2\n%v3 = OpTypeVector %f 3\n%v4 = OpTypeVector %f 4\n%m23 = OpTypeMatrix %v3 2\n"
      "%m42 = OpTypeMatrix %v2 4\n%m43 = OpTypeMatrix %v3 4\n%a2 = OpUndef %v2\n%a3 = OpUndef %v3\n%b23 = OpUndef "
      "%m23\n"
      "%b42 = OpUndef %m42\n%main = OpFunction %void None %fn\n%start = OpLabel\n" +
          code + "OpReturn\nOpFunctionEnd\n",
      TargetEnv::vulkan1_0, "test");
  REQUIRE(words);
  const Result<Module> module = read_module(*words, "test");
  REQUIRE(module);
  std::vector<ProductShape> shapes;
  for (const InstRef inst : module->functions[0].blocks[0].body)
    if (const auto shape = product_shape(*module, inst)) shapes.push_back(*shape);
  return shapes;
}

struct Expected {
  const char* code;
  std::uint32_t rows, inner, columns;
};

TEST_CASE("products of vectors and matrices are sums over one side of both factors", "[product-shape]") {
  // A matrix of two columns with three rows, and one of four with two.
  for (const Expected& expected : {Expected{"%r = OpDot %f %a3 %a3\n", 1, 3, 1},
                                   {"%r = OpMatrixTimesVector %v3 %b23 %a2\n", 3, 2, 1},
                                   {"%r = OpVectorTimesMatrix %v2 %a3 %b23\n", 1, 3, 2},
                                   {"%r = OpMatrixTimesMatrix %m43 %b23 %b42\n", 3, 2, 4},
                                   {"%r = OpOuterProduct %m23 %a3 %a2\n", 3, 1, 2}}) {
    INFO(expected.code);
    const std::vector<ProductShape> shapes = shapes_in(expected.code);
    REQUIRE(shapes.size() == 1);
    CHECK(shapes[0].rows == expected.rows);
    CHECK(shapes[0].inner == expected.inner);
    CHECK(shapes[0].columns == expected.columns);
  }
  CHECK(shapes_in("%r = OpFMul %v3 %a3 %a3\n").empty());
}

TEST_CASE("components of factors are numbered column by column", "[product-shape]") {
  const ProductShape shape = {3, 2, 4};
  CHECK(shape.left(2, 1) == 5);
  CHECK(shape.right(1, 3) == 7);
}

}  // namespace
}  // namespace varylink::spirv
