// Where pointers start from, and the way from there.
#include "spirv/ir/pointer_path.h"

#include "spirv/ir/globals.h"
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

// The way to what the only load of the code reads.
AccessPath path_of_load(const Module& module) {
  return access_path(module, module.operand(first_of(module, spv::Op::OpLoad), 0).word);
}

using Numbers = std::optional<std::vector<std::uint32_t>>;

TEST_CASE("the indices of all chains on the way count from the variable down", "[operations]") {
  const std::string types = "%two = OpConstant %int 2\n%uni_floats = OpTypePointer Uniform %floats\n";
  const Module module = test::shader(
      "%b = OpAccessChain %uni_floats %u %zero\n%c = OpCopyObject %uni_floats %b\n%d = OpAccessChain %uni_float %c "
      "%two\n%x = OpLoad %float %d\nOpStore %o %x\n",
      "", types);
  const AccessPath path = path_of_load(module);
  CHECK(is_variable_in(module, path.root, spv::StorageClass::Uniform));
  CHECK(constant_indices(module, path.indices) == Numbers({0, 2}));
  const AccessPath none = access_path(module, path.root);
  CHECK(none.root == path.root);
  CHECK(none.indices.empty());
}

TEST_CASE("indices are no numbers if one of them is not a constant", "[operations]") {
  const Module module = test::shader(
      "%x = OpLoad %v4 %a\n%y = OpCompositeExtract %float %x 0\n%n = OpConvertFToS %int %y\n"
      "%d = OpAccessChain %uni_float %u %zero %n\n%z = OpLoad %float %d\nOpStore %o %z\n");
  const InstRef chain = first_of(module, spv::Op::OpAccessChain);
  const AccessPath path = access_path(module, module[chain].result);
  CHECK(path.indices.size() == 2);
  CHECK(constant_indices(module, path.indices) == std::nullopt);
}

TEST_CASE("integer constants are read with their sign and width, specialization constants are not read",
          "[operations]") {
  const std::string types =
      "%uint = OpTypeInt 32 0\n%m = OpConstant %int -2\n%n = OpConstant %uint 4294967294\n"
      "%z = OpConstantNull %int\n%sp = OpSpecConstant %int 3\n%h = OpConstant %float 1\n";
  const Module module = test::shader("", "OpDecorate %sp SpecId 0\n", types);
  std::vector<std::optional<std::int64_t>> values;
  std::vector<std::optional<std::uint32_t>> indices;
  for (const InstRef inst : module.types)
    if (const spv::Op op = module[inst].op;
        op == spv::Op::OpConstant || op == spv::Op::OpConstantNull || op == spv::Op::OpSpecConstant) {
      values.push_back(constant_int(module, module[inst].result));
      indices.push_back(constant_index(module, module[inst].result));
    }
  const auto none = std::nullopt;
  // The first ones are those that all of these shaders have: 0, 4, 4 and two floats.
  CHECK(std::vector(values.begin() + 5, values.end()) ==
        std::vector<std::optional<std::int64_t>>{-2, 4294967294ll, 0, none, none});
  CHECK(std::vector(indices.begin() + 5, indices.end()) ==
        std::vector<std::optional<std::uint32_t>>{0xffffffffu, 0xfffffffeu, 0, none, none});
}

}  // namespace
}  // namespace varylink::spirv
