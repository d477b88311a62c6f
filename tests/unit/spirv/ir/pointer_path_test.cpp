// Where pointers start from.
#include "spirv/ir/pointer_path.h"

#include "support/catch.h"
#include "support/step_shader.h"

namespace varylink::spirv {
namespace {

// The first instruction of the code with this opcode.
InstRef first_of(const Module& module, spv::Op op) {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body)
        if (module[inst].op == op) return inst;
  return {};
}

TEST_CASE("chains and copies of pointers lead to their variable", "[operations]") {
  const Module module = test::shader(
      "%c = OpAccessChain %in_float %a %zero\n%d = OpCopyObject %in_float %c\n%x = OpLoad %float %d\n"
      "OpStore %o %x\n");
  const InstRef load = first_of(module, spv::Op::OpLoad);
  const Id pointer = module.operand(load, 0).word, root = root_of(module, pointer);
  CHECK(module.def_op(root) == spv::Op::OpVariable);
  CHECK(root_of(module, root) == root);
  CHECK(root_of(module, module[load].result) == module[load].result);
  CHECK(variable_behind(module, module[load].result) == root);
}

}  // namespace
}  // namespace varylink::spirv
