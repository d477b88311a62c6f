#include "spirv/cleanup/private_to_local.h"

#include "support/catch.h"
#include "support/step_shader.h"

namespace varylink::spirv {
namespace {

using test::kX;

const std::string kTypes =
    "%private_v4 = OpTypePointer Private %v4\n%private = OpTypePointer Private %float\n"
    "%g = OpVariable %private_v4 Private\n%k = OpVariable %private Private %one\n";

void check_moved(const std::string& code, const std::string& checks, const std::string& functions = {}) {
  Module module = test::shader(code, "OpDecorate %g RelaxedPrecision\n", kTypes, functions);
  private_to_local(module);
  test::check_listing(module, checks);
}

TEST_CASE("private variables of the entry point become its own, with paths into them", "[spirv][private]") {
  check_moved(
      kX + "OpStore %g %x\n%part = OpAccessChain %private %g %zero\n%l = OpLoad %float %part\n"
           "%f = OpLoad %float %k\n%m = OpFMul %float %l %f\nOpStore %o %m\n",
      "NOT: OpVariable %_ptr_Private\nOpDecorate %* RelaxedPrecision\nOpVariable %_ptr_Function_float Function "
      "%float_1\n"
      "OpVariable %_ptr_Function_v4float Function\nOpAccessChain %_ptr_Function_float\nNOT: OpVariable %_ptr_Private");
}

TEST_CASE("what another function uses, or nobody, stays private", "[spirv][private]") {
  check_moved(kX + "%r = OpFunctionCall %void %other\nOpStore %g %x\n", "COUNT 2: OpVariable %_ptr_Private",
              "%other = OpFunction %void None %fn\n%l1 = OpLabel\n%y = OpLoad %v4 %a\nOpStore %g %y\nOpReturn\n"
              "OpFunctionEnd\n");
  // Each of its calls would start anew.
  check_moved("%r = OpFunctionCall %void %other\n", "COUNT 2: OpVariable %_ptr_Private",
              "%other = OpFunction %void None %fn\n%l1 = OpLabel\nOpStore %k %none\nOpReturn\nOpFunctionEnd\n");
}

}  // namespace
}  // namespace varylink::spirv
