#include "spirv/cleanup/word_operations.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace varylink::spirv {
namespace {

using spv::Op;
using Word = std::optional<std::uint32_t>;

bool is_plain_word(float value) { return value == 0 || std::isnormal(value); }
Word word(float value) { return is_plain_word(value) ? Word(std::bit_cast<std::uint32_t>(value)) : std::nullopt; }

// 0 and -0 are equal; which one is the smaller depends on the device.
bool is_ordered(float a, float b) { return a != b || std::signbit(a) == std::signbit(b); }

Word float_operation(Op op, std::uint32_t glsl, std::span<const float> x) {
  switch (op) {
    case Op::OpFNegate: return word(-x[0]);
    case Op::OpFAdd: return word(x[0] + x[1]);
    case Op::OpFSub: return word(x[0] - x[1]);
    case Op::OpFMul:
    case Op::OpVectorTimesScalar: return word(x[0] * x[1]);
    case Op::OpFDiv: return x[1] == 0 ? std::nullopt : word(x[0] / x[1]);
    case Op::OpConvertFToS:
      return x[0] > -2147483648.0f && x[0] < 2147483648.0f
                 ? Word(static_cast<std::uint32_t>(static_cast<std::int32_t>(x[0])))
                 : std::nullopt;
    case Op::OpConvertFToU:
      return x[0] >= 0.0f && x[0] < 4294967296.0f ? Word(static_cast<std::uint32_t>(x[0])) : std::nullopt;
    case Op::OpExtInst: break;
    default: {
      const std::optional<bool> result = compare_floats(op, double{x[0]}, double{x[1]});
      return result ? Word(*result) : std::nullopt;
    }
  }
  if (x.size() < 2 || !is_ordered(x[0], x[1])) return std::nullopt;
  switch (glsl) {
    case GLSLstd450FMin: return word(x[1] < x[0] ? x[1] : x[0]);
    case GLSLstd450FMax: return word(x[0] < x[1] ? x[1] : x[0]);
    case GLSLstd450FClamp:
      if (x.size() != 3 || !is_ordered(x[0], x[2]) || x[1] > x[2]) return std::nullopt;
      return word(x[0] < x[1] ? x[1] : x[2] < x[0] ? x[2] : x[0]);
    default: return std::nullopt;
  }
}

bool takes_floats(Op op) {
  return (op >= Op::OpFOrdEqual && op <= Op::OpFUnordGreaterThanEqual) || op == Op::OpFNegate || op == Op::OpFAdd ||
         op == Op::OpFSub || op == Op::OpFMul || op == Op::OpFDiv || op == Op::OpVectorTimesScalar ||
         op == Op::OpConvertFToS || op == Op::OpConvertFToU || op == Op::OpExtInst;
}

Word signed_operation(Op op, std::int32_t a, std::int32_t b) {
  const bool divides = b != 0 && !(a == std::numeric_limits<std::int32_t>::min() && b == -1);
  switch (op) {
    case Op::OpSDiv: return divides ? Word(static_cast<std::uint32_t>(a / b)) : std::nullopt;
    // Of what is negative Vulkan leaves them undefined (Vulkan, Precision and Operation of SPIR-V Instructions).
    case Op::OpSRem:
    case Op::OpSMod: return a >= 0 && b > 0 ? Word(static_cast<std::uint32_t>(a % b)) : std::nullopt;
    case Op::OpSGreaterThan: return a > b;
    case Op::OpSGreaterThanEqual: return a >= b;
    case Op::OpSLessThan: return a < b;
    case Op::OpSLessThanEqual: return a <= b;
    case Op::OpShiftRightArithmetic:
      return static_cast<std::uint32_t>(b) < 32 ? Word(static_cast<std::uint32_t>(a >> b)) : std::nullopt;
    default: return std::nullopt;
  }
}

Word integer_operation(Op op, std::uint32_t a, std::uint32_t b) {
  switch (op) {
    case Op::OpIAdd: return a + b;
    case Op::OpISub: return a - b;
    case Op::OpIMul: return a * b;
    case Op::OpUDiv: return b == 0 ? std::nullopt : Word(a / b);
    case Op::OpUMod: return b == 0 ? std::nullopt : Word(a % b);
    case Op::OpBitwiseAnd: return a & b;
    case Op::OpBitwiseOr: return a | b;
    case Op::OpBitwiseXor: return a ^ b;
    case Op::OpShiftLeftLogical: return b < 32 ? Word(a << b) : std::nullopt;
    case Op::OpShiftRightLogical: return b < 32 ? Word(a >> b) : std::nullopt;
    case Op::OpIEqual:
    case Op::OpLogicalEqual: return a == b;
    case Op::OpINotEqual:
    case Op::OpLogicalNotEqual: return a != b;
    case Op::OpUGreaterThan: return a > b;
    case Op::OpUGreaterThanEqual: return a >= b;
    case Op::OpULessThan: return a < b;
    case Op::OpULessThanEqual: return a <= b;
    case Op::OpLogicalAnd: return a & b;
    case Op::OpLogicalOr: return a | b;
    default: return signed_operation(op, static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
  }
}

bool is_glsl_integer(std::uint32_t glsl) {
  return glsl == GLSLstd450SMin || glsl == GLSLstd450SMax || glsl == GLSLstd450SClamp || glsl == GLSLstd450UMin ||
         glsl == GLSLstd450UMax || glsl == GLSLstd450UClamp;
}

Word glsl_integer_operation(std::uint32_t glsl, std::span<const std::uint32_t> x) {
  const bool is_signed = glsl == GLSLstd450SMin || glsl == GLSLstd450SMax || glsl == GLSLstd450SClamp;
  const bool is_clamp = glsl == GLSLstd450SClamp || glsl == GLSLstd450UClamp;
  if (x.size() != (is_clamp ? 3u : 2u)) return std::nullopt;
  const auto less = [is_signed](std::uint32_t a, std::uint32_t b) {
    return is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  };
  if (is_clamp && less(x[2], x[1])) return std::nullopt;
  if (is_clamp) return less(x[0], x[1]) ? x[1] : less(x[2], x[0]) ? x[2] : x[0];
  const bool is_minimum = glsl == GLSLstd450SMin || glsl == GLSLstd450UMin;
  return less(x[0], x[1]) == is_minimum ? x[0] : x[1];
}

Word unary_operation(Op op, std::uint32_t a) {
  switch (op) {
    case Op::OpSNegate: return 0u - a;
    case Op::OpNot: return ~a;
    case Op::OpLogicalNot: return a ^ 1u;
    case Op::OpConvertSToF: return word(static_cast<float>(static_cast<std::int32_t>(a)));
    case Op::OpConvertUToF: return word(static_cast<float>(a));
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<std::uint32_t> apply_to_words(Op op, std::uint32_t glsl, std::span<const std::uint32_t> operands) {
  if (operands.empty() || operands.size() > 3) return std::nullopt;
  if (op == Op::OpExtInst && is_glsl_integer(glsl)) return glsl_integer_operation(glsl, operands);
  if (takes_floats(op)) {
    float values[3] = {0, 0, 0};
    for (std::size_t i = 0; i < operands.size(); ++i) {
      values[i] = std::bit_cast<float>(operands[i]);
      if (!is_plain_word(values[i])) return std::nullopt;
    }
    return float_operation(op, glsl, {values, operands.size()});
  }
  if (operands.size() == 1) return unary_operation(op, operands[0]);
  return operands.size() == 2 ? integer_operation(op, operands[0], operands[1]) : std::nullopt;
}

bool is_plain_number(double value) { return value == 0 || std::isnormal(value); }

std::optional<bool> compare_floats(Op op, double a, double b) {
  switch (op) {
    case Op::OpFOrdEqual:
    case Op::OpFUnordEqual: return a == b;
    case Op::OpFOrdNotEqual:
    case Op::OpFUnordNotEqual: return a != b;
    case Op::OpFOrdLessThan:
    case Op::OpFUnordLessThan: return a < b;
    case Op::OpFOrdGreaterThan:
    case Op::OpFUnordGreaterThan: return a > b;
    case Op::OpFOrdLessThanEqual:
    case Op::OpFUnordLessThanEqual: return a <= b;
    case Op::OpFOrdGreaterThanEqual:
    case Op::OpFUnordGreaterThanEqual: return a >= b;
    default: return std::nullopt;
  }
}

std::optional<double> apply_to_doubles(Op op, std::span<const double> operands) {
  const std::size_t wanted = op == Op::OpFNegate ? 1 : 2;
  if (operands.size() != wanted || !std::all_of(operands.begin(), operands.end(), is_plain_number)) return std::nullopt;
  double result = 0;
  switch (op) {
    case Op::OpFNegate: result = -operands[0]; break;
    case Op::OpFAdd: result = operands[0] + operands[1]; break;
    case Op::OpFSub: result = operands[0] - operands[1]; break;
    case Op::OpFMul:
    case Op::OpVectorTimesScalar: result = operands[0] * operands[1]; break;
    case Op::OpFDiv:
      if (operands[1] == 0) return std::nullopt;
      result = operands[0] / operands[1];
      break;
    default: return std::nullopt;
  }
  return is_plain_number(result) ? std::optional(result) : std::nullopt;
}

bool is_exact(Op op, std::span<const std::uint32_t> operands, std::uint32_t result) {
  // Numbers of 24 bits: their products have 48, so that a double holds them.
  const auto number = [](std::uint32_t bits) { return double{std::bit_cast<float>(bits)}; };
  const auto sum_is_exact = [&](double a, double b) {
    const double sum = a + b, part = sum - a;
    return (a - (sum - part)) + (b - part) == 0 && sum == number(result);
  };
  switch (op) {
    case Op::OpFAdd: return sum_is_exact(number(operands[0]), number(operands[1]));
    case Op::OpFSub: return sum_is_exact(number(operands[0]), -number(operands[1]));
    case Op::OpFMul:
    case Op::OpVectorTimesScalar: return number(operands[0]) * number(operands[1]) == number(result);
    case Op::OpFDiv: return number(result) * number(operands[1]) == number(operands[0]);
    case Op::OpConvertSToF: return number(result) == static_cast<std::int32_t>(operands[0]);
    case Op::OpConvertUToF: return number(result) == operands[0];
    default: return true;
  }
}

}  // namespace varylink::spirv
