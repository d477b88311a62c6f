#include "passes/bits/small_value.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "analysis/operation_cost.h"
#include "base/seeded_fault.h"
#include "varyings/lift/varying_variable.h"

namespace varylink::passes {
namespace {

using spirv::Id;
using spv::Op;
using varyings::ScalarKind;

constexpr std::uint32_t kOne = 0x3f800000;  // 1.0f

float float_of(std::uint32_t bits) {
  float number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

bool is_safe_float(std::uint32_t bits) {
  const int kind = std::fpclassify(float_of(bits));
  return kind == FP_NORMAL || kind == FP_ZERO;
}

std::optional<SmallValue> small_choice(varyings::ScalarType type, const std::vector<std::uint32_t>& constants) {
  if (constants.size() != 2) return std::nullopt;
  SmallValue value{SmallValue::Kind::choice, type, 1, 0, constants[0], constants[1]};
  if (type.kind != ScalarKind::floating) return value;
  if (!is_safe_float(constants[0]) || !is_safe_float(constants[1])) return std::nullopt;
  if (float_of(constants[0]) == float_of(constants[1])) return std::nullopt;
  return value;
}

// 0 or 1 as a float is a conversion of the bit.
bool is_truth_value(const SmallValue& value) {
  return value.type.kind == ScalarKind::floating && value.if_clear == 0 && value.if_set == kOne;
}

double cost(Op op) {
  analysis::Operation operation;
  operation.op = op;
  return analysis::cost_of(analysis::default_profile(), operation);
}

}  // namespace

std::optional<SmallValue> small_value(varyings::ScalarType type, const graph::ValueRange& range) {
  if (type.width != 32) return std::nullopt;
  const auto choice = small_choice(type, range.constants);
  if (type.kind == ScalarKind::floating) return choice;
  SmallValue value;
  value.type = type;
  const auto greatest = static_cast<std::uint64_t>(range.greatest);
  value.bits = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(range.greatest - range.least)));
  value.least = static_cast<std::uint32_t>(range.least);
  if (range.least > 0 && static_cast<std::uint32_t>(std::bit_width(greatest)) == value.bits) value.least = 0;
  if (value.bits == 0 || value.bits > 31) return choice;
  return choice && choice->bits < value.bits ? choice : value;
}

double decoding_cost(const SmallValue& value, std::uint32_t offset, bool is_last) {
  const double mask = is_last ? 0 : cost(Op::OpBitwiseAnd), shift = offset == 0 ? 0 : cost(Op::OpShiftRightLogical);
  switch (value.kind) {
    case SmallValue::Kind::half: return shift;
    case SmallValue::Kind::number: return shift + mask + (value.least == 0 ? 0 : cost(Op::OpIAdd));
    case SmallValue::Kind::choice: break;
  }
  if (is_truth_value(value)) return shift + mask + cost(Op::OpConvertUToF);
  return cost(Op::OpBitwiseAnd) + cost(Op::OpINotEqual) + cost(Op::OpSelect);
}

Id SmallValueCode::type_of(const SmallValue& value) { return varyings::type_id(globals_, value.type); }

Id SmallValueCode::constant(const SmallValue& value, std::uint32_t bits) {
  return globals_.scalar_constant(type_of(value), {bits});
}

Id SmallValueCode::binary(Op op, Id left, std::uint32_t right) {
  return emitter_.emit(op, uint_type(), {spirv::id(left), spirv::id(globals_.uint_constant(right))});
}

Id SmallValueCode::combine(Id left, Id right) {
  return emitter_.emit(Op::OpBitwiseOr, uint_type(), {spirv::id(left), spirv::id(right)});
}

Id SmallValueCode::encode(const SmallValue& value, Id id, std::uint32_t offset) {
  if (value.kind == SmallValue::Kind::choice) {
    const Op equal = value.type.kind == ScalarKind::floating ? Op::OpFOrdEqual : Op::OpIEqual;
    const Id is_set =
        emitter_.emit(equal, globals_.bool_type(), {spirv::id(id), spirv::id(constant(value, value.if_set))});
    return emitter_.emit(
        Op::OpSelect, uint_type(),
        {spirv::id(is_set), spirv::id(globals_.uint_constant(1u << offset)), spirv::id(globals_.uint_constant(0))});
  }
  Id bits = id;
  if (value.kind == SmallValue::Kind::half) {
    const Id pair = globals_.vector_type(type_of(value), 2);
    const Id both = emitter_.construct(pair, {id, globals_.null_constant(type_of(value))});
    bits = emitter_.emit(Op::OpBitcast, uint_type(), {spirv::id(both)});
  } else {
    if (value.type.kind != ScalarKind::uint) bits = emitter_.emit(Op::OpBitcast, uint_type(), {spirv::id(bits)});
    if (value.least != 0) bits = binary(Op::OpISub, bits, value.least);
    bits = binary(Op::OpBitwiseAnd, bits, (1u << value.bits) - 1);
  }
  return offset == 0 ? bits : binary(Op::OpShiftLeftLogical, bits, offset);
}

Id SmallValueCode::extract_bits(const SmallValue& value, Id word, std::uint32_t offset, bool is_last) {
  if (offset != 0) word = binary(Op::OpShiftRightLogical, word, offset);
  if (is_last || seeded_fault("bits-are-not-masked")) return word;
  return binary(Op::OpBitwiseAnd, word, (1u << value.bits) - 1);
}

Id SmallValueCode::decode(const SmallValue& value, Id word, std::uint32_t offset, bool is_last) {
  if (value.kind == SmallValue::Kind::half) {
    const Id pair = globals_.vector_type(type_of(value), 2);
    const Id shifted = extract_bits(value, word, offset, true);
    return emitter_.extract(type_of(value), emitter_.emit(Op::OpBitcast, pair, {spirv::id(shifted)}), 0);
  }
  if (value.kind == SmallValue::Kind::choice && !is_truth_value(value)) {
    const Id bit = binary(Op::OpBitwiseAnd, word, 1u << offset);
    const Id is_set =
        emitter_.emit(Op::OpINotEqual, globals_.bool_type(), {spirv::id(bit), spirv::id(globals_.uint_constant(0))});
    return emitter_.emit(
        Op::OpSelect, type_of(value),
        {spirv::id(is_set), spirv::id(constant(value, value.if_set)), spirv::id(constant(value, value.if_clear))});
  }
  const Id bits = extract_bits(value, word, offset, is_last);
  if (value.kind == SmallValue::Kind::choice)
    return emitter_.emit(Op::OpConvertUToF, type_of(value), {spirv::id(bits)});
  const bool moved = value.least != 0 && !seeded_fault("bits-forget-the-least-number");
  const Id number = moved ? binary(Op::OpIAdd, bits, value.least) : bits;
  if (value.type.kind == ScalarKind::uint) return number;
  return emitter_.emit(Op::OpBitcast, type_of(value), {spirv::id(number)});
}

}  // namespace varylink::passes
