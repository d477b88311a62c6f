#include "spirv/cleanup/forward_copies.h"

#include "support/catch.h"
#include "support/step_shader.h"

namespace varylink::spirv {
namespace {

using test::kIf;
using test::kX;

const std::string kTypes =
    "%local_floats = OpTypePointer Function %floats\n%uni_floats = OpTypePointer Uniform %floats\n"
    "%k1 = OpConstant %int 1\n%k2 = OpConstant %int 2\n%k3 = OpConstant %int 3\n";
const std::string kAll = "%from = OpAccessChain %uni_floats %u %zero\n%all = OpLoad %floats %from\n";
const std::string kIndex = "%n = OpConvertFToS %int %p\n";
const std::string kRead = "%at = OpAccessChain %local %t %n\n%l = OpLoad %float %at\nOpStore %o %l\n";
// kX is of another file.
std::string local() { return "%t = OpVariable %local_floats Function\n" + kX + kIndex; }

void check_forwarded(void (*step)(Module&), const std::string& code, const std::string& checks) {
  Module module = test::shader(code, {}, kTypes);
  step(module);
  test::check_listing(module, checks);
}

TEST_CASE("a copy of what nobody writes is read there", "[spirv][copies]") {
  check_forwarded(forward_array_copies, local() + kAll + "OpStore %t %all\n" + kRead,
                  "OpAccessChain %_ptr_Uniform__arr\nOpStore\nOpAccessChain %_ptr_Uniform_float %* %*\nOpLoad %float");
}

TEST_CASE("a copy may be put together from all parts in their order", "[spirv][copies]") {
  const auto parts = [](const std::string& order) {
    return local() + kAll +
           "%e0 = OpCompositeExtract %float %all 0\n%e1 = OpCompositeExtract %float %all 1\n"
           "%e2 = OpCompositeExtract %float %all 2\n%e3 = OpCompositeExtract %float %all 3\n"
           "%whole = OpCompositeConstruct %floats " +
           order + "\nOpStore %t %whole\n" + kRead;
  };
  check_forwarded(forward_array_copies, parts("%e0 %e1 %e2 %e3"), "OpStore\nOpAccessChain %_ptr_Uniform_float");
  check_forwarded(forward_array_copies, parts("%e1 %e0 %e2 %e3"), "OpStore\nOpAccessChain %_ptr_Function_float");
}

TEST_CASE("a copy that is changed, or may not be there yet, is read as it is", "[spirv][copies]") {
  const std::string changed =
      local() + kAll + "OpStore %t %all\n%part = OpAccessChain %local %t %zero\nOpStore %part %p\n" + kRead;
  check_forwarded(forward_array_copies, changed, "COUNT 2: OpAccessChain %_ptr_Function_float");
  check_forwarded(forward_stores, changed, "COUNT 2: OpAccessChain %_ptr_Function_float\nOpLoad %float");
  const std::string perhaps =
      local() + kAll + kIf + "%then = OpLabel\nOpStore %t %all\nOpBranch %end\n%end = OpLabel\n" + kRead;
  check_forwarded(forward_array_copies, perhaps, "OpAccessChain %_ptr_Function_float");
}

TEST_CASE("a load of the whole is what was stored", "[spirv][copies]") {
  const std::string whole = "%w = OpLoad %floats %t\n%v = OpCompositeExtract %float %w 2\nOpStore %o %v\n";
  check_forwarded(forward_stores, local() + kAll + "OpStore %t %all\n" + kRead + whole,
                  "COUNT 1: OpLoad %_arr\nOpCompositeExtract %float %* 2");
  check_forwarded(forward_stores,
                  local() + kAll + "OpStore %t %all\n%part = OpAccessChain %local %t %k2\n%l2 = OpLoad %float %part\n" +
                      "OpStore %o %l2\n" + kRead,
                  "COUNT 1: OpCompositeExtract %float %* 2");
  // Not behind a store to a part.
  check_forwarded(forward_stores,
                  local() + kAll + "OpStore %t %all\n%at = OpAccessChain %local %t %n\nOpStore %at %p\n" + whole,
                  "COUNT 2: OpLoad %_arr");
}

}  // namespace
}  // namespace varylink::spirv
