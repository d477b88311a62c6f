#include "graph/operand_reading.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <array>

namespace varylink::graph {
namespace {

using spv::Op;
using varyings::ScalarKind;

// What the widths and types of an operation have to do with each other.
enum class Shape : std::uint8_t {
  uniform,     // all operands are as wide as the result
  comparison,  // all operands are equally wide
  shift,       // the first operand is as wide as the result
  conversion,  // any width
  choice,      // the second and the third operand have the type of the result
};

struct Signature {
  Reading result = Reading::bits;
  std::size_t count = 0;
  std::array<Reading, 3> operands = {};
  Shape shape = Shape::uniform;
};

Signature same(Reading reading, std::size_t count) {
  return {reading == Reading::sint || reading == Reading::uint ? Reading::integer : reading,
          count,
          {reading, reading, reading},
          Shape::uniform};
}

Signature compares(Reading reading, std::size_t count = 2) {
  return {Reading::boolean, count, {reading, reading, reading}, Shape::comparison};
}

Signature converts(Reading from, Reading to) { return {to, 1, {from}, Shape::conversion}; }

Signature shifts(Reading base) { return {Reading::integer, 2, {base, Reading::uint}, Shape::shift}; }

std::optional<Signature> conversion_signature(Op op) {
  switch (op) {
    case Op::OpConvertFToU:
    case Op::OpConvertFToS: return converts(Reading::floating, Reading::integer);
    case Op::OpConvertSToF: return converts(Reading::sint, Reading::floating);
    case Op::OpConvertUToF: return converts(Reading::uint, Reading::floating);
    case Op::OpUConvert: return converts(Reading::uint, Reading::integer);
    case Op::OpSConvert: return converts(Reading::sint, Reading::integer);
    case Op::OpFConvert: return converts(Reading::floating, Reading::floating);
    case Op::OpBitcast: return same(Reading::bits, 1);
    default: return std::nullopt;
  }
}

std::optional<Signature> comparison_signature(Op op) {
  switch (op) {
    case Op::OpIsNan:
    case Op::OpIsInf: return compares(Reading::floating, 1);
    case Op::OpLogicalEqual:
    case Op::OpLogicalNotEqual:
    case Op::OpLogicalOr:
    case Op::OpLogicalAnd: return compares(Reading::boolean);
    case Op::OpLogicalNot: return compares(Reading::boolean, 1);
    case Op::OpIEqual:
    case Op::OpINotEqual: return compares(Reading::integer);
    case Op::OpUGreaterThan:
    case Op::OpUGreaterThanEqual:
    case Op::OpULessThan:
    case Op::OpULessThanEqual: return compares(Reading::uint);
    case Op::OpSGreaterThan:
    case Op::OpSGreaterThanEqual:
    case Op::OpSLessThan:
    case Op::OpSLessThanEqual: return compares(Reading::sint);
    default:
      if (op >= Op::OpFOrdEqual && op <= Op::OpFUnordGreaterThanEqual) return compares(Reading::floating);
      return std::nullopt;
  }
}

std::optional<Signature> arithmetic_signature(Op op) {
  switch (op) {
    case Op::OpFNegate: return same(Reading::floating, 1);
    case Op::OpFAdd:
    case Op::OpFSub:
    case Op::OpFMul:
    case Op::OpFDiv:
    case Op::OpFRem:
    case Op::OpFMod: return same(Reading::floating, 2);
    case Op::OpSNegate:
    case Op::OpNot: return same(Reading::integer, 1);
    case Op::OpIAdd:
    case Op::OpISub:
    case Op::OpIMul:
    case Op::OpBitwiseAnd:
    case Op::OpBitwiseOr:
    case Op::OpBitwiseXor: return same(Reading::integer, 2);
    case Op::OpUDiv:
    case Op::OpUMod: return same(Reading::uint, 2);
    case Op::OpSDiv:
    case Op::OpSRem:
    case Op::OpSMod: return same(Reading::sint, 2);
    case Op::OpShiftLeftLogical: return shifts(Reading::integer);
    case Op::OpShiftRightLogical: return shifts(Reading::uint);
    case Op::OpShiftRightArithmetic: return shifts(Reading::sint);
    case Op::OpSelect:
      return Signature{Reading::bits, 3, {Reading::boolean, Reading::bits, Reading::bits}, Shape::choice};
    default: return std::nullopt;
  }
}

std::optional<Signature> glsl_signature(std::uint32_t number) {
  switch (number) {
    case GLSLstd450SAbs:
    case GLSLstd450SSign: return same(Reading::sint, 1);
    case GLSLstd450SMin:
    case GLSLstd450SMax: return same(Reading::sint, 2);
    case GLSLstd450SClamp: return same(Reading::sint, 3);
    case GLSLstd450UMin:
    case GLSLstd450UMax: return same(Reading::uint, 2);
    case GLSLstd450UClamp: return same(Reading::uint, 3);
    case GLSLstd450Atan2:
    case GLSLstd450Pow:
    case GLSLstd450FMin:
    case GLSLstd450FMax:
    case GLSLstd450NMin:
    case GLSLstd450NMax:
    case GLSLstd450Step: return same(Reading::floating, 2);
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
    case GLSLstd450FMix:
    case GLSLstd450SmoothStep:
    case GLSLstd450Fma: return same(Reading::floating, 3);
    default: return is_pure_scalar_glsl(number) ? std::optional(same(Reading::floating, 1)) : std::nullopt;
  }
}

std::optional<Signature> signature_of(Op op, std::uint32_t glsl) {
  if (op == Op::OpExtInst) return glsl_signature(glsl);
  if (const auto found = conversion_signature(op)) return found;
  if (const auto found = comparison_signature(op)) return found;
  return arithmetic_signature(op);
}

bool has_kind(varyings::ScalarType type, Reading reading) {
  switch (reading) {
    case Reading::boolean: return type.kind == ScalarKind::boolean;
    case Reading::floating: return type.kind == ScalarKind::floating;
    case Reading::bits: return true;
    default: return type.kind == ScalarKind::sint || type.kind == ScalarKind::uint;
  }
}

}  // namespace

std::optional<Reading> operand_reading(Op op, std::uint32_t glsl, std::size_t index) {
  const auto signature = signature_of(op, glsl);
  if (!signature || index >= signature->count) return std::nullopt;
  return signature->operands[index];
}

bool is_well_typed(const ValueGraph& graph, const Value& operation) {
  const auto signature = signature_of(operation.op, operation.glsl);
  if (!signature || operation.operands.size() != signature->count || !has_kind(operation.type, signature->result))
    return false;
  const auto type_of = [&](std::size_t i) { return graph[operation.operands[i]].type; };
  for (std::size_t i = 0; i < signature->count; ++i)
    if (!has_kind(type_of(i), signature->operands[i])) return false;
  const auto all_as_wide_as = [&](std::uint32_t width) {
    return std::all_of(operation.operands.begin(), operation.operands.end(),
                       [&](ValueId operand) { return graph[operand].type.width == width; });
  };
  switch (signature->shape) {
    case Shape::uniform: {
      const bool casts_truth = operation.op == Op::OpBitcast &&
                               (operation.type.kind == ScalarKind::boolean || type_of(0).kind == ScalarKind::boolean);
      return all_as_wide_as(operation.type.width) && !casts_truth;
    }
    case Shape::comparison: return all_as_wide_as(type_of(0).width);
    case Shape::shift: return type_of(0).width == operation.type.width;
    case Shape::conversion: return true;
    case Shape::choice: return type_of(1) == operation.type && type_of(2) == operation.type;
  }
  return false;
}

}  // namespace varylink::graph
