#include "support/operation_samples.h"

#include <array>
#include <bit>

namespace varylink::test {
namespace {

using spirv::Bits;
using spirv::NumberType;
using spirv::OperationRow;
using spirv::Reading;

constexpr std::uint32_t kOpcodes = 7000, kGlslNumbers = 81;

NumberType number_type(Reading reading) {
  if (reading == Reading::boolean) return {NumberType::Kind::boolean, 1};
  return {reading == Reading::floating ? NumberType::Kind::floating : NumberType::Kind::integer, 32};
}

constexpr std::array<std::uint32_t, 12> kIntegers = {
    0, 1, 2, 3, 7, 31, 32, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu};
constexpr std::array<float, 12> kFloats = {0, -0.0f, 1, -1, 0.5f, 2, 3.5f, -3.5f, 1e20f, -1e20f, 1e-30f, 16777216};

std::size_t edge_count(Reading reading) { return reading == Reading::boolean ? 2 : kIntegers.size(); }

Bits edge(Reading reading, std::size_t index) {
  if (reading == Reading::boolean) return index;
  return reading == Reading::floating ? std::bit_cast<std::uint32_t>(kFloats[index]) : kIntegers[index];
}

}  // namespace

std::vector<const OperationRow*> all_rows() {
  std::vector<const OperationRow*> rows;
  for (std::uint32_t op = 0; op < kOpcodes; ++op)
    if (const OperationRow& row = spirv::row_of(static_cast<spv::Op>(op)); !row.name.empty()) rows.push_back(&row);
  for (std::uint32_t number = 1; number <= kGlslNumbers; ++number) rows.push_back(&spirv::glsl_row(number));
  return rows;
}

bool is_folded(const OperationRow& row) {
  return row.is_scalar_operation() && row.formula != spirv::Formula::none && row.name != "UConvert" &&
         row.name != "SConvert" && row.name != "FConvert";
}

std::optional<Bits> folded(const OperationRow& row, const Operands& operands) {
  return spirv::apply(row.op, row.glsl, number_type(row.result), number_type(row.operands[0]), operands);
}

std::string type_name(Reading reading) {
  return reading == Reading::boolean ? "%bool" : reading == Reading::floating ? "%float" : "%uint";
}

std::string instruction_text(const OperationRow& row) {
  const std::string name(row.name), type = type_name(row.result);
  return row.op == spv::Op::OpExtInst ? "OpExtInst " + type + " %glsl " + name : "Op" + name + " " + type;
}

Bits OperandSource::next(Reading reading) {
  if (reading == Reading::boolean) return random_() & 1u;
  const bool is_edge = (random_() & 1u) != 0;
  if (is_edge) return edge(reading, random_() % edge_count(reading));
  if (reading != Reading::floating) return random_();
  return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(random_())) / 65536.0f);
}

std::vector<Operands> random_samples(const OperationRow& row, std::size_t count,
                                     const std::function<bool(const Operands&, Bits result)>& accepts) {
  OperandSource source;
  std::vector<Operands> found;
  for (std::size_t tries = 0; tries < 40 * count && found.size() < count; ++tries) {
    Operands operands;
    for (std::size_t i = 0; i < row.operand_count; ++i) operands.push_back(source.next(row.operands[i]));
    const std::optional<Bits> result = folded(row, operands);
    if (result && accepts(operands, *result)) found.push_back(std::move(operands));
  }
  return found;
}

std::vector<Operands> edge_samples(const OperationRow& row) {
  std::vector<Operands> all = {{}};
  for (std::size_t i = 0; i < row.operand_count; ++i) {
    std::vector<Operands> longer;
    for (const Operands& first : all)
      for (std::size_t k = 0; k < edge_count(row.operands[i]); ++k) {
        longer.push_back(first);
        longer.back().push_back(edge(row.operands[i], k));
      }
    all = std::move(longer);
  }
  std::erase_if(all, [&](const Operands& operands) { return !folded(row, operands); });
  return all;
}

}  // namespace varylink::test
