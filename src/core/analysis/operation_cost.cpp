#include "analysis/operation_cost.h"

#include <algorithm>

#include "spirv/ir/operations.h"

namespace varylink::analysis {
namespace {

using spirv::Cost;
using spv::Op;

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
  const bool is_signed = !spirv::row_of(operation.op).reads(spirv::Reading::uint);
  if (operation.width > 32 || operation.right == RightOperand::variable)
    return chain(widened(OpClass::integer_divide, operation.width));
  if (operation.right == RightOperand::power_of_two) return chain(OpClass::basic, is_signed ? 4 : 1);
  return chain(OpClass::integer_multiply, 1, OpClass::basic, is_signed ? 3 : 2);
}

// The operation on one component. Those by a constant are products.
Chain float_division(const Operation& operation, OpClass op_class, std::uint32_t by_constant) {
  return operation.right == RightOperand::variable ? chain(op_class) : chain(OpClass::basic, by_constant);
}

Chain integer_product(const Operation& operation) {
  if (operation.width < 32) return chain(OpClass::basic);
  const bool is_shift = operation.right == RightOperand::power_of_two;
  return per_word(is_shift ? OpClass::basic : OpClass::integer_multiply, operation.width);
}

// The operations on each component of the result, or on the whole of it.
Chain chain_of(Cost cost, const Operation& operation) {
  using enum Cost;
  const std::uint32_t width = operation.width;
  switch (cost) {
    case free: return chain(OpClass::free, 0);
    case simple: return chain(OpClass::basic);
    case two: return chain(OpClass::basic, 2);
    case three: return chain(OpClass::basic, 3);
    case four: return chain(OpClass::basic, 4);
    case words: return per_word(OpClass::basic, width);
    case multiply: return integer_product(operation);
    case multiply_extended: return per_word(OpClass::integer_multiply, width);
    case divide_integers: return integer_division(operation);
    case divide_floats: return float_division(operation, OpClass::float_divide, 1);
    case modulo_floats: return float_division(operation, OpClass::float_modulo, 3);
    case choose_component: return per_word(OpClass::basic, width, 2);
    case reduce: return chain(OpClass::basic, std::max(operation.length, 2u) - 1);
    case fwidth: return chain(OpClass::other, 2, OpClass::basic, 1);
    case load: return load_chain(operation);
    case store: return store_chain(operation);
    case copy: return per_word(OpClass::memory_load, width, 2);
    case texture: return chain(OpClass::texture);
    case write_image: return chain(OpClass::memory_store);
    case atomic: return chain(OpClass::memory_load);
    case query_length: return chain(OpClass::uniform_load);
    case branch: return chain(OpClass::branch);
    case special: return chain(OpClass::special);
    case exponential: return chain(OpClass::basic, 1, OpClass::special, 1);
    case power: return chain(OpClass::power);
    case tangent: return chain(OpClass::special, 2, OpClass::float_divide, 1);
    case arc_sine: return chain(OpClass::special, 1, OpClass::basic, 8);
    case arc_tangent: return chain(OpClass::float_divide, 1, OpClass::basic, 10);
    case arc_tangent_of_two: return chain(OpClass::float_divide, 1, OpClass::basic, 14);
    case hyperbolic: return chain(OpClass::special, 2, OpClass::basic, 4);
    case hyperbolic_tangent: return {{{OpClass::special, 1}, {OpClass::float_divide, 1}, {OpClass::basic, 4}}};
    case smooth_step: return chain(OpClass::float_divide, 1, OpClass::basic, 4);
    case interpolate: return chain(OpClass::interpolated_load, 1, OpClass::basic, 2);
    default: return chain(OpClass::other);
  }
}

// The instruction happens once, whatever the size of its result.
bool is_once(Cost cost) {
  using enum Cost;
  switch (cost) {
    case other_once:
    case reduce:
    case texture:
    case write_image:
    case atomic:
    case query_length:
    case branch: return true;
    default: return false;
  }
}

// Operations of a straightforward cofactor expansion of an n by n matrix.
Recipe matrix_recipe(bool inverts, std::uint32_t n) {
  constexpr std::array<std::uint32_t, 5> kDeterminant = {0, 0, 3, 14, 47};
  constexpr std::array<std::uint32_t, 5> kCofactors = {0, 1, 0, 27, 116};
  const std::uint32_t size = std::min(n, 4u);
  Recipe recipe;
  recipe.after = chain(OpClass::basic, kDeterminant[size]);
  if (inverts)
    recipe.after = {
        {{OpClass::basic, kDeterminant[size] + kCofactors[size] + size * size}, {OpClass::float_divide, 1}, {}}};
  return recipe;
}

// `before` on each component of both vectors, `middle` on the sum of their products, `after` on each of the result.
Recipe sum_of_products(const Operation& operation, Step before, const Chain& middle, const Chain& after) {
  Recipe recipe;
  recipe.dots = 1;
  recipe.length = operation.length;
  recipe.before = before;
  recipe.middle = middle;
  recipe.results = operation.results;
  recipe.after = after;
  return recipe;
}

Recipe recipe_of(Cost cost, const Operation& operation) {
  Recipe recipe;
  switch (cost) {
    case Cost::products:
      recipe.dots = recipe.results = operation.results;
      recipe.length = operation.length;
      return recipe;
    case Cost::determinant:
    case Cost::inverse: return matrix_recipe(cost == Cost::inverse, operation.length);
    case Cost::length: return sum_of_products(operation, {}, chain(OpClass::special), {});
    case Cost::distance: return sum_of_products(operation, {OpClass::basic, 1}, chain(OpClass::special), {});
    case Cost::normalize: return sum_of_products(operation, {}, chain(OpClass::special), chain(OpClass::basic));
    case Cost::face_forward: return sum_of_products(operation, {}, chain(OpClass::basic), chain(OpClass::basic));
    case Cost::reflect: return sum_of_products(operation, {}, chain(OpClass::basic), chain(OpClass::basic, 2));
    case Cost::refract:
      return sum_of_products(operation, {}, chain(OpClass::basic, 6, OpClass::special, 1), chain(OpClass::basic, 3));
    default:
      recipe.results = is_once(cost) ? 1 : operation.results;
      recipe.after = chain_of(cost, operation);
      return recipe;
  }
}

// Integers of many bits are several operations of the same classes instead.
bool is_of_floats(Cost cost) {
  using enum Cost;
  switch (cost) {
    case other:
    case other_once:
    case words:
    case multiply:
    case multiply_extended:
    case divide_integers:
    case choose_component:
    case reduce:
    case fwidth:
    case load:
    case store:
    case copy: return false;
    default: return true;
  }
}

double sum(const CostProfile& profile, const Step& step) { return profile[step.op_class].cost * step.count; }

double sum(const CostProfile& profile, const Chain& steps) {
  double total = 0;
  for (const Step& step : steps) total += sum(profile, step);
  return total;
}

}  // namespace

Recipe recipe_of(const Operation& operation) {
  const Cost cost = spirv::row_of(operation.op, operation.glsl).cost();
  Recipe recipe = recipe_of(cost, operation);
  if (is_of_floats(cost)) widen(recipe, operation.width);
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
