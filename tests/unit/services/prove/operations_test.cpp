// The table of operations against what is independent of it: the names of SPIRV-Tools, the prover's own arithmetic, and
// one domain of its evaluators against another.
#include "spirv/ir/operations.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <vector>

#include "prove/prove.h"
#include "specialize_state/number_range.h"
#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/number_operations.h"
#include "spirv/tools/binary.h"
#include "spirv/tools/names.h"
#include "spirv/tools/tools.h"
#include "support/catch.h"
#include "support/operation_samples.h"

namespace varylink::spirv {
namespace {

using test::all_rows;
using test::folded;
using test::is_folded;
using test::Operands;
using test::OperandSource;

// The prover's real numbers have one zero, and it does not divide by -1.
bool is_told_by_prover(const OperationRow& row, const Operands& operands, Bits result) {
  if (row.result == Reading::floating) return (result & 0x7fffffffu) != 0;
  return row.formula != Formula::divide || operands[1] != 0xffffffffu;
}

std::vector<Operands> samples(const OperationRow& row, std::size_t count) {
  return test::random_samples(
      row, count, [&](const Operands& operands, Bits result) { return is_told_by_prover(row, operands, result); });
}

class Text {
 public:
  explicit Text(const OperationRow& row) : row_(row) {}

  // Component i of a storage buffer is what the operation gives for these constants.
  void add(const Operands& operands) {
    const std::string number = std::to_string(count_++), result = "%r" + number;
    std::string call = result + " = " + test::instruction_text(row_);
    for (std::size_t i = 0; i < operands.size(); ++i) call += " " + constant(row_.operands[i], operands[i]);
    const std::string stored = row_.result == Reading::integer ? result : result + "s";
    if (row_.result == Reading::boolean) call += "\n" + stored + " = OpSelect %uint " + result + " %yes %no";
    if (row_.result == Reading::floating) call += "\n" + stored + " = OpBitcast %uint " + result;
    code_ += call + "\n%p" + number + " = OpAccessChain %word %s %zero " + constant(Reading::uint, count_ - 1) +
             "\nOpStore %p" + number + " " + stored + "\n";
  }

  std::string whole() const {
    return "OpCapability Shader\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
           "OpEntryPoint Fragment %main \"main\"\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %words ArrayStride "
           "4\n"
           "OpDecorate %buffer BufferBlock\nOpMemberDecorate %buffer 0 Offset 0\nOpDecorate %s DescriptorSet 0\n"
           "OpDecorate %s Binding 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n"
           "%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n%zero = OpConstant %uint 0\n%no = OpConstant %uint 5\n"
           "%yes = OpConstant %uint 6\n%words = OpTypeRuntimeArray %uint\n%buffer = OpTypeStruct %words\n"
           "%pointer = OpTypePointer Uniform %buffer\n%word = OpTypePointer Uniform %uint\n"
           "%s = OpVariable %pointer Uniform\n" +
           constants_ + "%main = OpFunction %void None %fn\n%start = OpLabel\n" + code_ + "OpReturn\nOpFunctionEnd\n";
  }

 private:
  std::string constant(Reading reading, Bits bits) {
    const std::string name = "%c" + std::to_string(constant_count_++);
    if (reading == Reading::boolean)
      constants_ += name + (bits != 0 ? " = OpConstantTrue %bool\n" : " = OpConstantFalse %bool\n");
    else if (reading == Reading::floating)
      constants_ += name + " = OpConstant %float " + hexadecimal(bits) + "\n";
    else
      constants_ += name + " = OpConstant %uint " + std::to_string(bits) + "\n";
    return name;
  }

  static std::string hexadecimal(Bits bits) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%a", float_value(bits, 32));
    return text.data();
  }

  const OperationRow& row_;
  std::string constants_, code_;
  std::size_t count_ = 0, constant_count_ = 0;
};

TEST_CASE("each row of the table has the name that its instruction has", "[operations]") {
  for (const OperationRow* row : all_rows()) {
    if (row->op == spv::Op::OpExtInst)
      CHECK(glsl_name(row->glsl) == row->name);
    else
      CHECK(name_of(row->op) == row->name);
  }
}

TEST_CASE("facts of rows agree with one another", "[operations]") {
  for (const OperationRow* row : all_rows()) {
    INFO(row->name);
    if (row->is_scalar_operation()) CHECK(row->is(kRemovable));
    if (row->is_scalar_operation()) CHECK(row->is(kOperandsOnly));
    if (row->is(kCommutes)) CHECK((row->operand_count == 2 && row->operands[0] == row->operands[1]));
    CHECK_FALSE((row->is(kSmooth) && row->is(kJumps)));
    if (row->is(kActs | kLeavesTrace) && !row->is(kDerivative)) CHECK_FALSE(row->is(kRemovable));
  }
  CHECK(row_of(static_cast<spv::Op>(6999)).facts == kNothing);
  CHECK(glsl_row(99).facts == kNothing);
}

std::size_t count_of(const Module& module, const OperationRow& row) {
  std::size_t count = 0;
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const InstRef inst : block.body) count += row_of(module, inst).name == row.name ? 1u : 0u;
  return count;
}

// What SPIR-V, or Vulkan, leaves undefined or to the device is not folded, and not tried here.
TEST_CASE("constants are folded to what the prover says they are", "[operations]") {
  std::size_t rows = 0;
  for (const OperationRow* row : all_rows()) {
    const std::vector<Operands> tried = is_folded(*row) ? samples(*row, 100) : std::vector<Operands>{};
    if (tried.empty()) continue;
    ++rows;
    INFO(row->name);
    Text text(*row);
    for (const Operands& operands : tried) text.add(operands);
    const auto words = assemble(text.whole(), TargetEnv::vulkan1_0, "test");
    INFO((words ? std::string() : render(words.error())));
    REQUIRE(words);
    Result<Module> module = read_module(*words, "test");
    REQUIRE(module);
    CHECK(count_of(*module, *row) == tried.size());
    sccp(*module);
    CHECK(count_of(*module, *row) == 0);
    const std::vector<std::uint32_t> after = write_module(*module);
    const prove::StageWords original{Stage::fragment, *words, ""}, linked{Stage::fragment, after, ""};
    const prove::Proof proof = prove::prove(std::span(&original, 1), std::span(&linked, 1), {});
    INFO(proof.reason << (proof.findings.empty() ? ""
                                                 : ": " + proof.findings[0].what + " " + proof.findings[0].original +
                                                       " | " + proof.findings[0].linked));
    CHECK(proof.verdict == prove::Verdict::proved);
  }
  CHECK(rows >= 60);
}

specialize_state::Range range_around(Reading reading, Bits bits, Bits other) {
  const auto number = [&](Bits each) {
    return reading == Reading::floating ? float_value(each, 32) : static_cast<double>(signed_value(each, 32));
  };
  return {std::min(number(bits), number(other)), std::max(number(bits), number(other)), 0};
}

TEST_CASE("the range of an operation holds what its numbers give", "[operations]") {
  OperandSource numbers;
  for (const OperationRow* row : all_rows()) {
    const bool is_followed = is_folded(*row) && row->result != Reading::boolean && row->reads(row->operands[0]) &&
                             row->operands[0] != Reading::boolean && row->operands[0] != Reading::bits;
    if (!is_followed) continue;
    for (const Operands& operands : samples(*row, 200)) {
      std::vector<specialize_state::Range> ranges;
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const bool is_point = (numbers.next(Reading::uint) & 1u) != 0;
        ranges.push_back(
            range_around(row->operands[i], operands[i], is_point ? operands[i] : numbers.next(row->operands[i])));
      }
      const auto range = specialize_state::result_range(row->op, row->glsl, row->result == Reading::floating, ranges);
      if (!range) continue;
      const Bits bits = *folded(*row, operands);
      const specialize_state::Range result = range_around(row->result, bits, bits);
      INFO(row->name << " " << range->low << " " << result.low << " " << range->high);
      CHECK((range->low <= result.low && result.low <= range->high));
    }
  }
}

}  // namespace
}  // namespace varylink::spirv
