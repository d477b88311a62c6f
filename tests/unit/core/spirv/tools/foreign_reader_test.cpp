#include "spirv/tools/foreign_reader.h"

#include <algorithm>

#include "spirv/ir/code_edit.h"
#include "spirv/ir/foreign.h"
#include "spirv/ir/header_words.h"
#include "spirv/ir/uses.h"
#include "spirv/tools/binary.h"
#include "support/catch.h"

using namespace varylink;
using namespace varylink::spirv;

namespace {

using Words = std::vector<std::uint32_t>;

// One that multiplies what it reads.
constexpr const char* kShader = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %in Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%pin = OpTypePointer Input %float
%pout = OpTypePointer Output %float
%in = OpVariable %pin Input
%out = OpVariable %pout Output
%two = OpConstant %float 2
%main = OpFunction %void None %fn
%entry = OpLabel
%x = OpLoad %float %in
%y = OpFMul %float %x %two
%z = OpFAdd %float %y %x
OpStore %out %z
OpReturn
OpFunctionEnd
)";

// The words with an unknown capability, and with other opcodes in the place of some.
Words newer(std::initializer_list<std::pair<spv::Op, std::uint32_t>> renamed) {
  const auto known = assemble(kShader, TargetEnv::vulkan1_3, "test");
  REQUIRE(known);
  Words words(known->begin(), known->begin() + kHeaderWords);
  words.insert(words.end(), {2u << 16 | 17u, 7777u});
  for (std::size_t at = kHeaderWords; at < known->size(); at += (*known)[at] >> 16) {
    const auto begin = known->begin() + static_cast<std::ptrdiff_t>(at);
    words.insert(words.end(), begin, begin + static_cast<std::ptrdiff_t>(*begin >> 16));
    for (const auto& [from, to] : renamed)
      if ((*begin & 0xffffu) == static_cast<std::uint32_t>(from))
        words[words.size() - (*begin >> 16)] = (*begin & ~0xffffu) | to;
  }
  return words;
}

InstRef find(const Module& module, std::uint32_t opcode) {
  for (std::uint32_t i = 0; i < module.inst_count(); ++i)
    if (module[InstRef{i}].op == static_cast<spv::Op>(opcode | kForeignMark)) return InstRef{i};
  return {};
}

}  // namespace

// allows: R-2.13
TEST_CASE("read_with_foreign: an instruction that is not known is read around", "[foreign]") {
  const Words words = newer({{spv::Op::OpFMul, 6999}});
  CHECK_FALSE(read_module(words, "test"));
  const auto module = read_with_foreign(words, "test");
  REQUIRE(module);
  CHECK(write_module(*module) == words);
  const InstRef inst = find(*module, 6999);
  REQUIRE(inst);
  CHECK(module->def((*module)[inst].result) == inst);
  CHECK(module->operand(inst, 0).is_id);
  CHECK(validate_known(*module, words, {}, "test"));
  const auto known = without_foreign(*module);
  REQUIRE(known);
  CHECK_FALSE(has_foreign(*known));
  CHECK(known->def_op((*module)[inst].result) == spv::Op::OpUndef);
}

// forbids: R-2.13
TEST_CASE("read_with_foreign: what may change the meaning of the rest is not read", "[foreign]") {
  CHECK_FALSE(read_with_foreign(newer({{spv::Op::OpReturn, 6999}}), "test"));
  CHECK_FALSE(read_with_foreign(newer({{spv::Op::OpExecutionMode, 6999}, {spv::Op::OpTypePointer, 6998}}), "test"));
  CHECK_FALSE(read_with_foreign(newer({{spv::Op::OpTypeFloat, 6999}}), "test"));
  CHECK_FALSE(read_with_foreign(newer({{spv::Op::OpFunction, 6999}}), "test"));
}

TEST_CASE("restore_foreign: an operand that was replaced becomes what it was", "[foreign]") {
  const Words words = newer({{spv::Op::OpFAdd, 6999}});
  auto module = read_with_foreign(words, "test");
  REQUIRE(module);
  const Module original = *module;
  const InstRef inst = find(*module, 6999);
  const Id product = module->operand(inst, 0).word, loaded = module->operand(inst, 1).word;
  CodeEdit edit;
  edit.replace(product, loaded);
  edit.remove(module->def(product));
  edit.apply(*module, module->functions.front().result);
  module->sweep();
  CHECK(module->operand(inst, 0).word == loaded);
  REQUIRE(restore_foreign(*module, original).empty());
  CHECK(module->operand(inst, 0).word == product);
  CHECK(module->def_op(product) == spv::Op::OpCopyObject);
  CHECK(read_with_foreign(write_module(*module), "test"));
}

TEST_CASE("restore_foreign: what is gone, or there twice, cannot be written", "[foreign]") {
  const Words words = newer({{spv::Op::OpFAdd, 6999}});
  const auto original = read_with_foreign(words, "test");
  REQUIRE(original);
  const InstRef inst = find(*original, 6999);
  Module removed = *original;
  removed.kill(removed.def(removed.operand(inst, 0).word));
  CHECK_FALSE(restore_foreign(removed, *original).empty());
  Module copied = *original;
  const auto operands = original->operands(inst);
  copied.create((*original)[inst].op, (*original)[inst].type, copied.new_id(),
                std::vector<Operand>(operands.begin(), operands.end()));
  CHECK_FALSE(restore_foreign(copied, *original).empty());
}
