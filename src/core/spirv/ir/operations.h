// The table of operations: one row (operations.def) for each opcode and each instruction of GLSL.std.450 whose meaning
// this project knows. An operation without a row is opaque: it may read and write any memory, and its result is
// unknown. So newer SPIR-V is safe.
//
// Passes ask for facts and formulas of a row and not for opcodes, so that another operation takes a row and nothing
// else. The prover (src/services/prove) has its own knowledge of operations, since the table is tested against it
// (tests/unit/services/prove/operations_test.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "spirv/ir/module.h"

namespace varylink::spirv {

// How an instruction reads the bits of an operand, whatever the operand is declared as: SPIR-V lets integer
// instructions take operands of either signedness, and the opcode says which one it means (SPIR-V, "Arithmetic", "Bit"
// and "Relational and Logical Instructions").
enum class Reading : std::uint8_t {
  none,
  boolean,
  floating,
  sint,     // two's complement
  uint,     // not negative
  integer,  // either: modulo 2^width the result is the same
  bits,     // any number or vector of numbers
};

// The relation between the widths and types of operands and result of a scalar operation.
enum class Widths : std::uint8_t {
  uniform,     // all operands are as wide as the result
  comparison,  // all operands are equally wide
  first,       // the first operand is as wide as the result; further ones are numbers of places
  insertion,   // the first two operands are as wide as the result; further ones are numbers of places
  conversion,  // any width
  choice,      // the second and the third operand have the type of the result
};

// The formula of a scalar operation. With the readings of operands and result it says the result:
// OpFAdd and OpIAdd, OpULessThan and OpFOrdLessThan have one formula each.
enum class Formula : std::uint8_t {
  none,  // not told here
#define FORMULA(name, operands) name,
#include "spirv/ir/formulas.def"
#undef FORMULA
};

// The operands for which the function of GLSL.std.450 is a number and defined.
enum class Domain : std::uint8_t { all, not_negative, minus_one_to_one };

// The kind of type that an instruction declares. Types that are not listed have no components that this project knows.
enum class TypeKind : std::uint8_t {
  none,  // no declaration of a type
  nothing,
  boolean,
  integer,
  floating,
  vector,
  matrix,
  array,
  runtime_array,
  structure,
  pointer,
  image,
  sampler,
  sampled_image,
};

// The part of a module in which an instruction stands (SPIR-V 2.4, in this order), if it is not in a function.
enum class ModulePart : std::uint8_t {
  capabilities,
  extensions,
  imports,
  memory_model,
  entry_points,
  execution_modes,
  debug_strings,
  debug_names,
  debug_processed,
  annotations,
  types,  // and constants, global variables, and everything that has no row
};

// The access of an instruction to the memory behind a pointer operand.
enum class PointerUse : std::uint8_t {
  none,  // the memory is not touched: the operand is no pointer, or leads to a part of the memory
  read,
  write,
  both,     // atomics
  unknown,  // either, both or nothing: calls, and instructions that are not known
};

// How the words of an instruction behind type and result are ids and literals.
enum class OperandWords : std::uint8_t {
  unknown,      // the parser of SPIRV-Tools tells
  ids,          // all of them
  literals,     // all of them
  id_literals,  // an id, then literals
  two_ids_literals,
  three_ids_literals,
  literal_ids,  // a literal, then ids
  id_literal_ids,
  memory,       // a pointer, or a pointer and an object, then the mask of memory operands with literals
  image,        // two ids (three: kMaskThird), then the mask of image operands with ids
  cases,        // OpSwitch
  entry_point,  // OpEntryPoint
  source,       // OpSource
  extended,     // OpExtInst
};

// The operations that compilers make of an instruction, as far as no device is needed to know them: for each component
// of the result, where nothing else is said. analysis/operation_cost.cpp counts them.
enum class Cost : std::uint8_t {
  by_kind,     // no statement: OperationRow::cost() tells it by the other columns
  other,       // of its own kind, about which nothing is known
  other_once,  // the same, whatever the size of the result
  free,        // a name for something that is there, or a declaration
  simple,      // one operation that is as wide as the component
  two,         // such operations
  three,
  four,
  words,     // one for each 32 bits
  multiply,  // integers
  multiply_extended,
  divide_integers,  // also remainder and modulo
  divide_floats,
  modulo_floats,
  choose_component,  // by an index that is not a constant
  products,          // sums of products: of vectors, matrices
  reduce,            // all components to one
  fwidth,
  load,
  store,
  copy,  // memory to memory
  texture,
  write_image,
  atomic,
  query_length,  // of a run-time array
  branch,
  special,  // of a special function unit
  exponential,
  power,
  tangent,
  arc_sine,
  arc_tangent,
  arc_tangent_of_two,
  hyperbolic,
  hyperbolic_tangent,
  smooth_step,
  interpolate,
  determinant,
  inverse,
  length,
  distance,
  normalize,
  face_forward,
  reflect,
  refract,
};

using Facts = std::uint32_t;
enum Fact : Facts {
  kNothing = 0,
  // Computes its result from its operands, or reads memory, and does nothing else.
  kRemovable = 1u << 0,
  // The result depends on the operands alone: no memory is read, and no other invocation has a say.
  kOperandsOnly = 1u << 1,
  // Component i of the result depends on component i of each vector operand only, and on scalars as a whole.
  kComponentWise = 1u << 2,
  // The result is components of other values in another arrangement: nothing is computed.
  kArranges = 1u << 3,
  // A function of whole vectors that scalar operations define (graph/vector_functions.h).
  kOfVectors = 1u << 23,
  // Every component of the result is a sum of products of components of the two operands, or one product.
  kProduct = 1u << 4,
  // Two operands may be exchanged.
  kCommutes = 1u << 5,
  // Undefined for some operands: division by zero.
  kPartial = 1u << 6,
  // Small changes of floating-point operands make small changes of the result.
  kSmooth = 1u << 7,
  // Small changes of floating-point operands, or of a condition, can make large ones.
  kJumps = 1u << 8,
  // Rounds floating-point numbers, so that NoContraction and the execution modes of rounding say something about it.
  kRounds = 1u << 9,
  kDerivative = 1u << 10,
  kImageAccess = 1u << 11,  // reads or writes texels
  // Of an image access: two operands in front of the mask of image operands; three if it has both.
  kMaskThird = 1u << 12,
  kAtomic = 1u << 13,
  kGroup = 1u << 14,  // the result depends on other invocations of the subgroup
  // Has an effect by itself, without a resource.
  kActs = 1u << 15,
  // This invocation or others see its effect later.
  kLeavesTrace = 1u << 16,
  // Others may see stores in front of it.
  kShowsStores = 1u << 17,
  // Ends the invocation, not only the function.
  kEndsInvocation = 1u << 18,
  // Control flow and declarations, which do nothing by themselves.
  kInert = 1u << 19,
  // A pointer, or a value read through one, of the same variable as its first operand.
  kPassesVariable = 1u << 20,
  // Not below zero, for any operands.
  kNotNegative = 1u << 21,
  kInterpolates = 1u << 22,  // reads a fragment input at another place than its declaration says
  // The last instruction of a block.
  kEndsBlock = 1u << 24,
  // A type that must be unique in a module (SPIR-V 2.8), or a constant of which more than one were a waste.
  kDeclaredOnce = 1u << 25,
};

struct OperationRow {
  std::string_view name;  // without "Op"
  spv::Op op = spv::Op::OpNop;
  std::uint32_t glsl = 0;  // number in GLSL.std.450 if `op` is OpExtInst
  // Of operations on scalars, and of component-wise ones; none for all others.
  Reading result = Reading::none;
  std::array<Reading, 4> operands = {};
  std::uint8_t operand_count = 0;
  Widths widths = Widths::uniform;
  Formula formula = Formula::none;
  Domain domain = Domain::all;
  Facts facts = kNothing;
  TypeKind type = TypeKind::none;
  ModulePart part = ModulePart::types;
  Cost stated_cost = Cost::by_kind;
  OperandWords words = OperandWords::unknown;
  // Of the first operand if it is a pointer, and of all further ones.
  PointerUse first_pointer = PointerUse::unknown, other_pointers = PointerUse::unknown;

  bool is(Facts any) const { return (facts & any) != 0; }
  bool is_scalar_operation() const { return operand_count != 0; }
  // The first operand, or another that is read like it, is such a number.
  bool reads(Reading reading) const { return operand_count != 0 && operands[0] == reading; }
  // The cost that the row states, or else that of its kind: never Cost::by_kind.
  Cost cost() const;
};

// The row of an opcode; an opaque one if there is none, and for OpExtInst.
const OperationRow& row_of(spv::Op op);
// The row of an instruction of GLSL.std.450; an opaque one if there is none.
const OperationRow& glsl_row(std::uint32_t number);
// `glsl` counts if `op` is OpExtInst.
inline const OperationRow& row_of(spv::Op op, std::uint32_t glsl) {
  return op == spv::Op::OpExtInst ? glsl_row(glsl) : row_of(op);
}
// Of the type with that id.
inline TypeKind type_kind(const Module& module, Id type) { return row_of(module.def_op(type)).type; }
// Extended instructions of other sets are opaque.
const OperationRow& row_of(const Module& module, InstRef inst);

}  // namespace varylink::spirv
