#include "spirv/tools/interface_extent.h"

#include "spirv/tools/tools.h"
#include "support/catch.h"

using namespace varylink;

namespace {

std::uint64_t extent_of(const std::string& declarations) {
  const std::string text = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%n = OpConstant %uint 70000
%few = OpConstant %uint 3
%open = OpSpecConstant %uint 70000
)" + declarations;
  const auto words = spirv::assemble(text, spirv::TargetEnv::vulkan1_3, "test");
  REQUIRE(words);
  return spirv::largest_interface_variable(*words);
}

std::string variable_of(const std::string& type, const std::string& storage) {
  return "\n%pointer = OpTypePointer " + storage + " %" + type + "\n%v = OpVariable %pointer " + storage + "\n";
}

}  // namespace

TEST_CASE("interface extent: elements of arrays of arrays and of structures", "[interface_extent]") {
  const std::string types = R"(
%row = OpTypeArray %float %few
%s = OpTypeStruct %row %float %row
%table = OpTypeArray %s %n
)";
  CHECK(extent_of(types + variable_of("float", "Input")) == 1);
  CHECK(extent_of(types + variable_of("s", "Output")) == 7);
  CHECK(extent_of(types + variable_of("table", "Input")) == 490000);
  CHECK(extent_of(types + variable_of("table", "Private")) == 0);
}

TEST_CASE("interface extent: saturates, and sizes that are not constant count once", "[interface_extent]") {
  const std::string types = R"(
%a = OpTypeArray %float %n
%b = OpTypeArray %a %n
%c = OpTypeArray %b %n
%unknown = OpTypeArray %float %open
)";
  CHECK(extent_of(types + variable_of("c", "Input")) == std::uint64_t{1} << 32);
  CHECK(extent_of(types + variable_of("unknown", "Input")) == 1);
}

TEST_CASE("interface extent: damaged streams come to an end", "[interface_extent]") {
  CHECK(spirv::largest_interface_variable({}) == 0);
  const std::uint32_t words[] = {0x07230203u, 0x10000, 0, 10, 0, 0, 0xffff0013u, (3u << 16) | 28u};
  for (std::size_t size = 0; size <= std::size(words); ++size)
    CHECK(spirv::largest_interface_variable({words, size}) == 0);
}
