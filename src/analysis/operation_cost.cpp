#include "analysis/operation_cost.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <optional>

#include "spirv/ir/op_info.h"

namespace varylink::analysis {
namespace {

using spv::Op;

bool in_range(Op op, Op first, Op last) {
  return static_cast<unsigned>(op) >= static_cast<unsigned>(first) &&
         static_cast<unsigned>(op) <= static_cast<unsigned>(last);
}

constexpr Chain chain(OpClass op_class, std::uint32_t count = 1) { return {{{op_class, count}, {}, {}}}; }
constexpr Chain chain(OpClass first, std::uint32_t first_count, OpClass second, std::uint32_t second_count) {
  return {{{first, first_count}, {second, second_count}, {}}};
}

// 64-bit floating point has classes of its own.
OpClass widened(OpClass op_class, std::uint32_t width) {
  if (width <= 32) return op_class;
  switch (op_class) {
    case OpClass::basic: return OpClass::wide;
    case OpClass::special:
    case OpClass::power: return OpClass::wide_special;
    case OpClass::float_divide:
    case OpClass::float_modulo:
    case OpClass::integer_divide: return OpClass::wide_divide;
    default: return op_class;
  }
}

void widen(Recipe& recipe, std::uint32_t width) {
  recipe.dot_class = widened(recipe.dot_class, width);
  recipe.before.op_class = widened(recipe.before.op_class, width);
  for (Step& step : recipe.middle) step.op_class = widened(step.op_class, width);
  for (Step& step : recipe.after) step.op_class = widened(step.op_class, width);
}

// Integers and bits take one operation for each 32 bits.
Chain per_word(OpClass op_class, std::uint32_t width, std::uint32_t count = 1) {
  return chain(op_class, count * (width + 31) / 32);
}

bool is_free(Op op) {
  return in_range(op, Op::OpNop, Op::OpExecutionMode) || in_range(op, Op::OpTypeVoid, Op::OpTypeForwardPointer) ||
         in_range(op, Op::OpConstantTrue, Op::OpSpecConstantOp) || in_range(op, Op::OpFunction, Op::OpFunctionEnd) ||
         in_range(op, Op::OpVariable, Op::OpImageTexelPointer) ||
         in_range(op, Op::OpDecorate, Op::OpGroupMemberDecorate) ||
         in_range(op, Op::OpAccessChain, Op::OpInBoundsPtrAccessChain) || op == Op::OpCompositeConstruct ||
         op == Op::OpCompositeExtract || op == Op::OpCompositeInsert || op == Op::OpVectorShuffle ||
         op == Op::OpCopyObject || op == Op::OpCopyLogical || op == Op::OpTranspose || op == Op::OpBitcast ||
         op == Op::OpFNegate || op == Op::OpPhi || op == Op::OpLabel || op == Op::OpBranch || op == Op::OpReturn ||
         op == Op::OpReturnValue || op == Op::OpUnreachable || op == Op::OpLoopMerge || op == Op::OpSelectionMerge ||
         op == Op::OpSampledImage || op == Op::OpImage || op == Op::OpCapability || op == Op::OpModuleProcessed;
}

bool is_float_arithmetic(Op op) {
  return op == Op::OpFAdd || op == Op::OpFSub || op == Op::OpFMul || op == Op::OpFDiv || op == Op::OpFRem ||
         op == Op::OpFMod || op == Op::OpFNegate || op == Op::OpDot || op == Op::OpQuantizeToF16 ||
         in_range(op, Op::OpConvertFToU, Op::OpConvertUToF) || op == Op::OpFConvert ||
         in_range(op, Op::OpVectorTimesScalar, Op::OpOuterProduct) || in_range(op, Op::OpIsNan, Op::OpUnordered) ||
         in_range(op, Op::OpFOrdEqual, Op::OpFUnordGreaterThanEqual);
}

Chain load_chain(const Operation& operation) {
  switch (operation.storage) {
    case spv::StorageClass::Input:
      return chain(operation.interpolated ? OpClass::interpolated_load : OpClass::input_load);
    case spv::StorageClass::UniformConstant:
    case spv::StorageClass::Uniform:
    case spv::StorageClass::PushConstant: return per_word(OpClass::uniform_load, operation.width);
    case spv::StorageClass::Private:
    case spv::StorageClass::Function: return per_word(OpClass::basic, operation.width);
    default: return per_word(OpClass::memory_load, operation.width);
  }
}

Chain store_chain(const Operation& operation) {
  switch (operation.storage) {
    case spv::StorageClass::Output: return per_word(OpClass::output_store, operation.width);
    case spv::StorageClass::Private:
    case spv::StorageClass::Function: return per_word(OpClass::basic, operation.width);
    default: return per_word(OpClass::memory_store, operation.width);
  }
}

// Numbers with a sign round to zero, or have to be told from negative ones.
Chain integer_division(const Operation& operation) {
  const bool is_signed = operation.op != Op::OpUDiv && operation.op != Op::OpUMod;
  if (operation.width > 32 || operation.right == RightOperand::variable)
    return chain(widened(OpClass::integer_divide, operation.width));
  if (operation.right == RightOperand::power_of_two) return chain(OpClass::basic, is_signed ? 4 : 1);
  return chain(OpClass::integer_multiply, 1, OpClass::basic, is_signed ? 3 : 2);
}

Chain float_division(const Operation& operation) {
  const bool by_constant = operation.right != RightOperand::variable;
  if (operation.op == Op::OpFDiv) return chain(by_constant ? OpClass::basic : OpClass::float_divide);
  return by_constant ? chain(OpClass::basic, 3) : chain(OpClass::float_modulo);
}

Chain integer_product(const Operation& operation) {
  if (operation.width < 32) return chain(OpClass::basic);
  const bool is_shift = operation.right == RightOperand::power_of_two;
  return per_word(is_shift ? OpClass::basic : OpClass::integer_multiply, operation.width);
}

// The operations on each component of the result.
Chain component_chain(const Operation& operation) {
  const Op op = operation.op;
  const std::uint32_t width = operation.width;
  if (is_free(op)) return chain(OpClass::free, 0);
  if (op == Op::OpLoad) return load_chain(operation);
  if (op == Op::OpStore) return store_chain(operation);
  if (op == Op::OpIMul) return integer_product(operation);
  if (op == Op::OpUMulExtended || op == Op::OpSMulExtended) return per_word(OpClass::integer_multiply, width);
  if (in_range(op, Op::OpUDiv, Op::OpSDiv) || in_range(op, Op::OpUMod, Op::OpSMod)) return integer_division(operation);
  if (op == Op::OpFDiv || op == Op::OpFRem || op == Op::OpFMod) return float_division(operation);
  if (op == Op::OpVectorExtractDynamic || op == Op::OpVectorInsertDynamic) return per_word(OpClass::basic, width, 2);
  if (op == Op::OpFwidth || op == Op::OpFwidthFine || op == Op::OpFwidthCoarse)
    return chain(OpClass::other, 2, OpClass::basic, 1);
  if (in_range(op, Op::OpDPdx, Op::OpFwidthCoarse)) return chain(OpClass::other);
  if (is_float_arithmetic(op)) return chain(OpClass::basic);
  if (in_range(op, Op::OpConvertFToU, Op::OpBitCount)) return per_word(OpClass::basic, width);
  if (op == Op::OpCopyMemory) return per_word(OpClass::memory_load, width, 2);
  return chain(OpClass::other);
}

// Instructions that happen once, whatever the size of their result.
std::optional<Recipe> whole_recipe(const Operation& operation) {
  const Op op = operation.op;
  const auto once = [](OpClass op_class, std::uint32_t count = 1) {
    Recipe recipe;
    recipe.after = chain(op_class, count);
    return recipe;
  };
  if (op == Op::OpImageWrite) return once(OpClass::memory_store);
  if (in_range(op, Op::OpImageSampleImplicitLod, Op::OpImageRead) ||
      in_range(op, Op::OpImageQueryFormat, Op::OpImageQuerySamples) ||
      in_range(op, Op::OpImageSparseSampleImplicitLod, Op::OpImageSparseDrefGather))
    return once(OpClass::texture);
  if (in_range(op, Op::OpAtomicLoad, Op::OpAtomicXor)) return once(OpClass::memory_load);
  if (op == Op::OpArrayLength) return once(OpClass::uniform_load);
  if (op == Op::OpBranchConditional || op == Op::OpSwitch || op == Op::OpKill || op == Op::OpTerminateInvocation ||
      op == Op::OpDemoteToHelperInvocation)
    return once(OpClass::branch);
  if (op == Op::OpAny || op == Op::OpAll) return once(OpClass::basic, std::max(operation.length, 2u) - 1);
  if (op == Op::OpEmitVertex || op == Op::OpEndPrimitive || op == Op::OpEmitStreamVertex || op == Op::OpFunctionCall ||
      op == Op::OpControlBarrier || op == Op::OpMemoryBarrier)
    return once(OpClass::other);
  return std::nullopt;
}

Chain glsl_chain(std::uint32_t number) {
  switch (number) {
    case GLSLstd450FAbs: return chain(OpClass::free, 0);
    case GLSLstd450FSign:
    case GLSLstd450SSign: return chain(OpClass::basic, 4);
    case GLSLstd450Sin:
    case GLSLstd450Cos:
    case GLSLstd450Exp2:
    case GLSLstd450Log2:
    case GLSLstd450Sqrt:
    case GLSLstd450InverseSqrt: return chain(OpClass::special);
    case GLSLstd450Exp:
    case GLSLstd450Log: return chain(OpClass::basic, 1, OpClass::special, 1);
    case GLSLstd450Tan: return chain(OpClass::special, 2, OpClass::float_divide, 1);
    case GLSLstd450Asin:
    case GLSLstd450Acos: return chain(OpClass::special, 1, OpClass::basic, 8);
    case GLSLstd450Atan: return chain(OpClass::float_divide, 1, OpClass::basic, 10);
    case GLSLstd450Atan2: return chain(OpClass::float_divide, 1, OpClass::basic, 14);
    case GLSLstd450Sinh:
    case GLSLstd450Cosh:
    case GLSLstd450Asinh:
    case GLSLstd450Acosh:
    case GLSLstd450Atanh: return chain(OpClass::special, 2, OpClass::basic, 4);
    case GLSLstd450Tanh: return {{{OpClass::special, 1}, {OpClass::float_divide, 1}, {OpClass::basic, 4}}};
    case GLSLstd450Pow: return chain(OpClass::power);
    case GLSLstd450FClamp:
    case GLSLstd450UClamp:
    case GLSLstd450SClamp:
    case GLSLstd450NClamp:
    case GLSLstd450Step:
    case GLSLstd450Fract:
    case GLSLstd450Modf:
    case GLSLstd450ModfStruct: return chain(OpClass::basic, 2);
    case GLSLstd450FMix: return chain(OpClass::basic, 2);
    case GLSLstd450IMix:
    case GLSLstd450Ldexp: return chain(OpClass::basic, 3);
    case GLSLstd450SmoothStep: return chain(OpClass::float_divide, 1, OpClass::basic, 4);
    case GLSLstd450Frexp:
    case GLSLstd450FrexpStruct: return chain(OpClass::basic, 4);
    case GLSLstd450Cross: return chain(OpClass::basic, 3);
    case GLSLstd450InterpolateAtCentroid:
    case GLSLstd450InterpolateAtSample:
    case GLSLstd450InterpolateAtOffset: return chain(OpClass::interpolated_load, 1, OpClass::basic, 2);
    default: return chain(OpClass::basic);
  }
}

// Operations of a straightforward cofactor expansion of an n by n matrix.
Recipe matrix_recipe(std::uint32_t number, std::uint32_t n) {
  constexpr std::array<std::uint32_t, 5> kDeterminant = {0, 0, 3, 14, 47};
  constexpr std::array<std::uint32_t, 5> kCofactors = {0, 1, 0, 27, 116};
  const std::uint32_t size = std::min(n, 4u);
  Recipe recipe;
  recipe.after = chain(OpClass::basic, kDeterminant[size]);
  if (number == GLSLstd450MatrixInverse)
    recipe.after = {
        {{OpClass::basic, kDeterminant[size] + kCofactors[size] + size * size}, {OpClass::float_divide, 1}, {}}};
  return recipe;
}

Recipe glsl_recipe(const Operation& operation) {
  Recipe recipe;
  recipe.results = operation.results;
  const auto sum_of_products = [&](Step before, const Chain& middle, const Chain& after) {
    recipe.dots = 1;
    recipe.length = operation.length;
    recipe.before = before;
    recipe.middle = middle;
    recipe.after = after;
  };
  switch (operation.glsl) {
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse: return matrix_recipe(operation.glsl, operation.length);
    case GLSLstd450Length: sum_of_products({}, chain(OpClass::special), {}); break;
    case GLSLstd450Distance: sum_of_products({OpClass::basic, 1}, chain(OpClass::special), {}); break;
    case GLSLstd450Normalize: sum_of_products({}, chain(OpClass::special), chain(OpClass::basic)); break;
    case GLSLstd450FaceForward: sum_of_products({}, chain(OpClass::basic), chain(OpClass::basic)); break;
    case GLSLstd450Reflect: sum_of_products({}, chain(OpClass::basic), chain(OpClass::basic, 2)); break;
    case GLSLstd450Refract:
      sum_of_products({}, chain(OpClass::basic, 6, OpClass::special, 1), chain(OpClass::basic, 3));
      break;
    default: recipe.after = glsl_chain(operation.glsl);
  }
  return recipe;
}

Recipe core_recipe(const Operation& operation) {
  if (const std::optional<Recipe> whole = whole_recipe(operation)) return *whole;
  Recipe recipe;
  recipe.results = operation.results;
  switch (operation.op) {
    case Op::OpDot:
    case Op::OpVectorTimesMatrix:
    case Op::OpMatrixTimesVector:
    case Op::OpMatrixTimesMatrix:
      recipe.dots = operation.results;
      recipe.length = operation.length;
      break;
    case Op::OpVectorTimesScalar:
    case Op::OpMatrixTimesScalar:
    case Op::OpOuterProduct: recipe.after = chain(OpClass::basic); break;
    default: recipe.after = component_chain(operation);
  }
  return recipe;
}

double sum(const CostProfile& profile, const Step& step) { return profile[step.op_class].cost * step.count; }

double sum(const CostProfile& profile, const Chain& steps) {
  double total = 0;
  for (const Step& step : steps) total += sum(profile, step);
  return total;
}

}  // namespace

Recipe recipe_of(const Operation& operation) {
  const bool is_glsl = operation.op == Op::OpExtInst;
  Recipe recipe = is_glsl ? glsl_recipe(operation) : core_recipe(operation);
  if (is_glsl || is_float_arithmetic(operation.op)) widen(recipe, operation.width);
  return recipe;
}

double cost_of(const CostProfile& profile, const Operation& operation) {
  const Recipe recipe = recipe_of(operation);
  double total = recipe.results * sum(profile, recipe.after);
  if (recipe.dots == 0) return total;
  const double products = profile[recipe.dot_class].cost * (2.0 * recipe.length - 1.0);
  return total + recipe.dots * (recipe.length * sum(profile, recipe.before) + products + sum(profile, recipe.middle));
}

double cost_of(const CostProfile& profile, const spirv::Module& module, spirv::InstRef inst) {
  return cost_of(profile, operation_of(module, inst));
}

}  // namespace varylink::analysis
