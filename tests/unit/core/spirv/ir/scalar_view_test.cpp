#include "spirv/ir/scalar_view.h"

#include <sstream>
#include <utility>

#include "spirv/tools/binary.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"

namespace varylink::spirv {
namespace {

// One block of code. a and b are vectors of two and three, m a matrix of three columns with two rows, s a structure of
// an array of two such matrices and b's type.
Module module_with(const std::string& code) {
  const auto words = assemble(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\"\n"
      "OpExecutionMode %main OriginUpperLeft\nOpName %a \"a\"\nOpName %b \"b\"\nOpName %m \"m\"\nOpName %s \"s\"\n"
      "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f = OpTypeFloat 32\n%u = OpTypeInt 32 0\n%n2 = OpConstant %u "
      "2\n"
      "%v2 = OpTypeVector %f 2\n%v3 = OpTypeVector %f 3\n%v4 = OpTypeVector %f 4\n%m32 = OpTypeMatrix %v2 3\n"
      "%m23 = OpTypeMatrix %v3 2\n%ms = OpTypeArray %m32 %n2\n%st = OpTypeStruct %ms %v3\n%a = OpUndef %v2\n"
      "%b = OpUndef %v3\n%m = OpUndef %m32\n%s = OpUndef %st\n%x = OpUndef %f\n"
      "%main = OpFunction %void None %fn\n%start = OpLabel\n" +
          code + "OpReturn\nOpFunctionEnd\n",
      TargetEnv::vulkan1_0, "test");
  INFO((words ? std::string() : render(words.error())));
  REQUIRE(words);
  Result<Module> module = read_module(*words, "test");
  REQUIRE(module);
  return std::move(*module);
}

std::string name_of(const Module& module, Id id) {
  for (const InstRef inst : module.debug_names)
    if (module.operand(inst, 0).word == id) return decode_string(module.operands(inst), 1);
  return id == 0 ? "none" : "other";
}

// "a0 b2 none0": the scalars of the first instruction's result; "no" if it does not only arrange them.
std::string arranged(const std::string& code, std::uint32_t most = 0xffffffff) {
  const Module module = module_with(code);
  std::vector<Scalar> scalars;
  if (!arranges_scalars(module, module.functions[0].blocks[0].body[0], scalars, most)) return "no";
  std::ostringstream text;
  for (const Scalar& scalar : scalars)
    text << (text.str().empty() ? "" : " ") << name_of(module, scalar.value) << scalar.index;
  return text.str();
}

TEST_CASE("composites are lists of the scalars of their parts", "[scalar-view]") {
  CHECK(arranged("%r = OpCompositeConstruct %v4 %a %a\n") == "a0 a1 a0 a1");
  CHECK(arranged("%r = OpCompositeConstruct %m23 %b %b\n") == "b0 b1 b2 b0 b1 b2");
  CHECK(arranged("%r = OpVectorShuffle %v3 %a %b 1 4 0xffffffff\n") == "a1 b2 none0");
  CHECK(arranged("%r = OpCopyObject %m32 %m\n") == "m0 m1 m2 m3 m4 m5");
  CHECK(arranged("%r = OpTranspose %m23 %m\n") == "m0 m2 m4 m1 m3 m5");
}

TEST_CASE("numbers are scalars, vectors and matrices; arrays and structures are not", "[scalar-view]") {
  const Module module = module_with("");
  const auto counts = [&](const std::string& name) {
    for (const InstRef inst : module.debug_names)
      if (decode_string(module.operands(inst), 1) == name) {
        const Id type = module.type_of(module.operand(inst, 0).word);
        return std::pair(scalars_of_number(module, type), scalars_of_type(module, type));
      }
    return std::pair(0u, 0u);
  };
  CHECK(counts("a") == std::pair(2u, 2u));
  CHECK(counts("m") == std::pair(6u, 6u));
  CHECK(counts("s") == std::pair(0u, 15u));
}

TEST_CASE("indices lead to scalars in the order in which types declare them", "[scalar-view]") {
  CHECK(arranged("%r = OpCompositeExtract %f %b 2\n") == "b2");
  CHECK(arranged("%r = OpCompositeExtract %v2 %m 1\n") == "m2 m3");
  CHECK(arranged("%r = OpCompositeExtract %f %s 0 1 2 1\n") == "s11");
  CHECK(arranged("%r = OpCompositeExtract %v3 %s 1\n") == "s12 s13 s14");
  CHECK(arranged("%r = OpCompositeInsert %m32 %a %m 1\n") == "m0 m1 a0 a1 m4 m5");
  CHECK(arranged("%r = OpCompositeInsert %v3 %x %b 1\n") == "b0 other0 b2");
}

TEST_CASE("a list ends where it is told to, and other instructions have none", "[scalar-view]") {
  CHECK(arranged("%r = OpCopyObject %st %s\n", 3) == "s0 s1 s2");
  CHECK(arranged("%r = OpFNegate %v3 %b\n") == "no");
}

std::uint32_t read_of_b(const std::string& code) {
  const Module module = module_with(code);
  const Uses uses(module);
  for (const InstRef inst : module.debug_names)
    if (decode_string(module.operands(inst), 1) == "b") return read_scalars(module, uses, module.operand(inst, 0).word);
  return 0;
}

TEST_CASE("extracts and shuffles read some components, all else reads all", "[scalar-view]") {
  CHECK(read_of_b("") == 0);
  CHECK(read_of_b("%r = OpCompositeExtract %f %b 2\n") == 4);
  CHECK(read_of_b("%r = OpVectorShuffle %v2 %a %b 0 3\n") == 2);
  CHECK(read_of_b("%r = OpVectorShuffle %v3 %b %b 0 3 0xffffffff\n") == 1);
  CHECK(read_of_b("%q = OpCompositeExtract %f %b 0\n%r = OpFNegate %v3 %b\n") == 7);
}

}  // namespace
}  // namespace varylink::spirv
