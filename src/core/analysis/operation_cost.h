// Costs of one SPIR-V instruction: its scalar operations, and their cost in a profile.
#pragma once

#include <array>
#include <cstdint>

#include "analysis/cost_profile.h"
#include "spirv/ir/module.h"

namespace varylink::analysis {

// Kinds of right operands of multiplications and divisions for which compilers have a cheaper operation.
enum class RightOperand : std::uint8_t { variable, constant, power_of_two };

// An instruction as far as its cost goes, so that it can be asked for before it exists.
struct Operation {
  spv::Op op = spv::Op::OpNop;
  std::uint32_t glsl = 0;     // number in GLSL.std.450 if op is OpExtInst
  std::uint32_t results = 1;  // scalar components of the result; matrices and structures count all of theirs
  std::uint32_t length = 1;   // components of each vector that is multiplied and summed, for products and lengths
  std::uint32_t width = 32;   // bits of the widest scalar among operands and result
  spv::StorageClass storage = spv::StorageClass::Function;  // of what OpLoad and OpStore access
  bool interpolated = false;                                // OpLoad of a fragment input that is not flat
  RightOperand right = RightOperand::variable;              // power_of_two only for integers
};

// `count` operations of a class, each of which needs the result of the one before it.
struct Step {
  OpClass op_class = OpClass::free;
  std::uint32_t count = 0;
};
using Chain = std::array<Step, 3>;

// The scalar operations of an instruction. First, for each of `dots` sums: `before` on each of `length` components, as
// many products, and length - 1 additions, one after the other; then `middle` on the sum. After that `after` on each of
// `results` components. Without dots there is only `after`.
struct Recipe {
  std::uint32_t dots = 0;
  std::uint32_t length = 0;
  OpClass dot_class = OpClass::basic;
  Step before;
  Chain middle;
  std::uint32_t results = 1;
  Chain after;
};

Recipe recipe_of(const Operation& operation);

// Sum of the costs of all scalar operations. 0 for what needs no instruction: constants, composites, bitcasts, phis,
// access chains with constant indices (each dynamic index has to be added as a basic operation), absolute value and
// negation of floats. By a constant, a division of floats is a product, one of integers the upper word of a product,
// and by a power of two a shift (as NIR's nir_opt_idiv_const and LLVM do).
double cost_of(const CostProfile& profile, const Operation& operation);

// The operation that an instruction of a module is. `interpolated` holds for loads from a fragment input.
Operation operation_of(const spirv::Module& module, spirv::InstRef inst);
double cost_of(const CostProfile& profile, const spirv::Module& module, spirv::InstRef inst);

// 32-bit scalars of a type: components of vectors, matrices, arrays and structures, 64-bit ones twice; 0 for types that
// hold no numbers (pointers, images). Sizes of arrays that are not constants count as one element.
std::uint32_t scalar_count(const spirv::Module& module, spirv::Id type);
// Bits of the scalars of a number, vector or matrix type; 32 for everything else.
std::uint32_t scalar_width(const spirv::Module& module, spirv::Id type);

}  // namespace varylink::analysis
