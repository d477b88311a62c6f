// Arithmetic, logic, comparisons and conversions, scalar by scalar.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "prove/machine/machine.h"
#include "prove/terms/fold_constants.h"
#include "spirv/tools/names.h"

namespace varylink::prove {
namespace {

// Operations whose result component i is made of component i of each operand; scalars among the operands are spread.
bool is_component_wise(spv::Op op) {
  switch (op) {
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpFDiv:
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
    case spv::Op::OpFNegate:
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpSDiv:
    case spv::Op::OpUDiv:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
    case spv::Op::OpUMod:
    case spv::Op::OpSNegate:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpNot:
    case spv::Op::OpBitFieldInsert:
    case spv::Op::OpBitFieldSExtract:
    case spv::Op::OpBitFieldUExtract:
    case spv::Op::OpBitReverse:
    case spv::Op::OpBitCount:
    case spv::Op::OpLogicalAnd:
    case spv::Op::OpLogicalOr:
    case spv::Op::OpLogicalNot:
    case spv::Op::OpLogicalEqual:
    case spv::Op::OpLogicalNotEqual:
    case spv::Op::OpIsNan:
    case spv::Op::OpIsInf:
    case spv::Op::OpSelect:
    case spv::Op::OpIEqual:
    case spv::Op::OpINotEqual:
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpSGreaterThan:
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpSGreaterThanEqual:
    case spv::Op::OpULessThan:
    case spv::Op::OpSLessThan:
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpSLessThanEqual:
    case spv::Op::OpFOrdEqual:
    case spv::Op::OpFUnordEqual:
    case spv::Op::OpFOrdNotEqual:
    case spv::Op::OpFUnordNotEqual:
    case spv::Op::OpFOrdLessThan:
    case spv::Op::OpFUnordLessThan:
    case spv::Op::OpFOrdGreaterThan:
    case spv::Op::OpFUnordGreaterThan:
    case spv::Op::OpFOrdLessThanEqual:
    case spv::Op::OpFUnordLessThanEqual:
    case spv::Op::OpFOrdGreaterThanEqual:
    case spv::Op::OpFUnordGreaterThanEqual:
    case spv::Op::OpConvertFToU:
    case spv::Op::OpConvertFToS:
    case spv::Op::OpConvertSToF:
    case spv::Op::OpConvertUToF:
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
    case spv::Op::OpFConvert:
    case spv::Op::OpQuantizeToF16: return true;
    default: return false;
  }
}

bool commutes(spv::Op op) {
  return op == spv::Op::OpBitwiseAnd || op == spv::Op::OpBitwiseOr || op == spv::Op::OpBitwiseXor ||
         op == spv::Op::OpIEqual || op == spv::Op::OpFOrdEqual || op == spv::Op::OpFOrdNotEqual ||
         op == spv::Op::OpFAdd;
}

// Comparisons are turned until only a few are left: what to ask instead, whether with operands swapped, whether
// negated.
struct Turned {
  spv::Op op;
  bool swapped, negated;
};

Turned turned(spv::Op op) {
  switch (op) {
    case spv::Op::OpINotEqual: return {spv::Op::OpIEqual, false, true};
    case spv::Op::OpUGreaterThan: return {spv::Op::OpULessThan, true, false};
    case spv::Op::OpSGreaterThan: return {spv::Op::OpSLessThan, true, false};
    case spv::Op::OpUGreaterThanEqual: return {spv::Op::OpULessThan, false, true};
    case spv::Op::OpSGreaterThanEqual: return {spv::Op::OpSLessThan, false, true};
    case spv::Op::OpULessThanEqual: return {spv::Op::OpULessThan, true, true};
    case spv::Op::OpSLessThanEqual: return {spv::Op::OpSLessThan, true, true};
    case spv::Op::OpFOrdGreaterThan: return {spv::Op::OpFOrdLessThan, true, false};
    case spv::Op::OpFOrdGreaterThanEqual: return {spv::Op::OpFOrdLessThanEqual, true, false};
    case spv::Op::OpFUnordNotEqual: return {spv::Op::OpFOrdEqual, false, true};
    case spv::Op::OpFUnordEqual: return {spv::Op::OpFOrdNotEqual, false, true};
    case spv::Op::OpFUnordLessThan: return {spv::Op::OpFOrdLessThanEqual, true, true};
    case spv::Op::OpFUnordGreaterThan: return {spv::Op::OpFOrdLessThanEqual, false, true};
    case spv::Op::OpFUnordLessThanEqual: return {spv::Op::OpFOrdLessThan, true, true};
    case spv::Op::OpFUnordGreaterThanEqual: return {spv::Op::OpFOrdLessThan, false, true};
    default: return {op, false, false};
  }
}

// The term is a choice between constants, a small one.
bool chooses_constants(const Terms& terms, Term term) {
  constexpr std::size_t kMostChoices = 32;
  if (terms[term].kind != Kind::choice) return false;
  std::vector<Term> pending = {term};
  for (std::size_t choices = 0; !pending.empty();) {
    const Term next = pending.back();
    pending.pop_back();
    if (terms.is_constant(next)) continue;
    if (terms[next].kind != Kind::choice || ++choices > kMostChoices) return false;
    pending.push_back(terms.children(next)[1]);
    pending.push_back(terms.children(next)[2]);
  }
  return true;
}

}  // namespace

// The value must come out as the operation gives it: NoContraction, or infinities, NaN and the sign of zero count.
//
bool Machine::is_exact(Id result, Sort sort) const {
  return is_float(sort) &&
         (exact_widths_.contains(width_of(sort)) || facts_.has(result, spv::Decoration::NoContraction));
}

// Behind the name of an operation that has to give what it is defined as, under the modes of its width.
std::string Machine::exact_mark(Sort sort) const {
  std::string mark = "!";
  add_modes(sort, sort, mark);
  return mark;
}

// Behind the name of every operation that is no sum or product: the modes of the stage for its floats, since another
// stage may have others. They say how it rounds, and whether NaN and infinities count.
void Machine::add_modes(Sort result, Sort operand, std::string& mark) const {
  if (exact_marks_.empty() && exact_widths_.empty()) return;
  for (const Sort sort : {result, operand}) {
    if (!is_float(sort)) continue;
    if (const auto modes = exact_marks_.find(width_of(sort)); modes != exact_marks_.end()) mark += modes->second;
    if (exact_widths_.contains(width_of(sort))) mark += " with NaN";
    if (result == operand) break;
  }
}

// A conversion that rounds as it says itself.
Value Machine::rounded(Id type, const Value& operand, std::uint32_t mode) {
  const std::vector<Sort> sorts = facts_.sorts(type);
  Value result;
  for (std::size_t i = 0; i < sorts.size(); ++i)
    result.leaves.push_back(terms_.apply(sorts[i], "rounded", {operand.leaves.at(i)}, {mode}));
  return result;
}

// An operation on a choice between few constants, and constants, as the choice between its results.
std::optional<Term> Machine::over_choices(spv::Op op, Sort sort, std::span<const Term> operands, bool exact) {
  std::optional<std::size_t> chosen;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (terms_.is_constant(operands[i])) continue;
    if (chosen || terms_[operands[i]].sort == Sort::boolean || !chooses_constants(terms_, operands[i]))
      return std::nullopt;
    chosen = i;
  }
  if (!chosen) return std::nullopt;
  std::vector<Term> parts(operands.begin(), operands.end());
  const std::vector<Term> choice(terms_.children(operands[*chosen]).begin(), terms_.children(operands[*chosen]).end());
  parts[*chosen] = choice[1];
  const Term yes = scalar_operation(op, sort, parts, exact);
  parts[*chosen] = choice[2];
  return terms_.choose(choice[0], yes, scalar_operation(op, sort, parts, exact));
}

// Two uses of the term are one value: not so in the linked pipeline where a part is undefined.
bool Machine::is_same(Term term) const { return !terms_.has_original() || !terms_[term].has_undefined; }

// Integers compared with constants: what is added goes to the other side, and of what a mask leaves two values one is
// not the other. None where the comparison stays as it is.
std::optional<Term> Machine::equal_integers(Term a, Term b) {
  if (a == b) return is_same(a) ? std::optional(terms_.boolean(true)) : std::nullopt;
  if (terms_.is_constant(a)) std::swap(a, b);
  if (!terms_.is_constant(b)) return std::nullopt;
  const Sort sort = terms_[b].sort;
  if (terms_[a].kind == Kind::sum && terms_.constant_summand(a) != 0) {
    const Term offset = terms_.constant(sort, terms_.constant_summand(a));
    const Term parts[] = {terms_.subtract(a, offset), terms_.subtract(b, offset)};
    return scalar_operation(spv::Op::OpIEqual, Sort::boolean, parts, false);
  }
  if (!terms_.is(a, "BitwiseAnd")) return std::nullopt;
  const std::span<const Term> masked = terms_.children(a);
  const auto mask = std::ranges::find_if(masked, [&](Term part) { return terms_.is_constant(part); });
  if (mask == masked.end()) return std::nullopt;
  const std::uint64_t bits = terms_.bits(*mask), number = terms_.bits(b);
  if ((number & ~bits) != 0) return terms_.boolean(false);
  if (number != bits || !std::has_single_bit(bits)) return std::nullopt;
  return terms_.logical_not(terms_.apply(Sort::boolean, "IEqual", {a, terms_.constant(sort, 0)}, {}, true));
}

bool Machine::has_modes_of(Sort result, Sort operand) const {
  std::string mark;
  add_modes(result, operand, mark);
  return !mark.empty();
}

bool Machine::has_modes(Sort sort) const { return is_float(sort) && exact_marks_.contains(width_of(sort)); }

// Constants of a width whose modes the stage says, so that a function of them is not folded.
bool Machine::are_constants_under_modes(Sort sort, std::span<const Value> operands) const {
  return has_modes(sort) && std::ranges::all_of(operands, [&](const Value& operand) {
           return std::ranges::all_of(operand.leaves, [&](Term leaf) { return terms_.is_constant(leaf); });
         });
}

// Whether a mode of the stage decides the result of an operation on constants: it is rounded, or something is denormal.
bool Machine::modes_decide(spv::Op op, Sort sort, std::span<const Term> operands) const {
  if (!std::ranges::all_of(operands, [&](Term operand) { return terms_.is_constant(operand); })) return false;
  const auto is_denormal = [&](Term operand) {
    const Sort own = terms_[operand].sort;
    const double value = has_modes(own) ? terms_.real_value(operand) : 0;
    return value != 0 && std::isfinite(value) && !is_normal(own, value);
  };
  if (std::ranges::any_of(operands, is_denormal)) return true;
  if (!has_modes(sort)) return false;
  if (op == spv::Op::OpFNegate || op == spv::Op::OpSelect) return false;
  if (operands.size() != 2) return true;
  const double a = terms_.real_value(operands[0]), b = terms_.real_value(operands[1]);
  const auto is_rounded = [&](double result, double lost) {
    const bool is_single = width_of(sort) == 32 && static_cast<double>(static_cast<float>(result)) == result;
    const bool is_normal = result == 0 || std::fabs(result) >= static_cast<double>(std::numeric_limits<float>::min());
    return lost != 0 || !is_single || !is_normal;
  };
  const auto is_rounded_sum = [&](double other) {  // what a sum loses: Knuth's TwoSum
    const double sum = a + other, part = sum - a;
    return is_rounded(sum, (a - (sum - part)) + (other - part));
  };
  switch (op) {
    case spv::Op::OpFAdd: return is_rounded_sum(b);
    case spv::Op::OpFSub: return is_rounded_sum(-b);
    case spv::Op::OpFMul:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar: return is_rounded(a * b, std::fma(a, b, -(a * b)));
    case spv::Op::OpFDiv: return b != 0 && is_rounded(a / b, std::fma(a / b, b, -a));
    default: return false;
  }
}

Term Machine::scalar_operation(spv::Op op, Sort sort, std::span<const Term> operands, bool exact) {
  const bool by_modes = modes_decide(op, sort, operands);
  const auto constants =
      !by_modes && std::ranges::all_of(operands, [&](Term term) { return terms_.is_constant(term); });
  const auto named = [&](const std::string& operation, bool any_order) {
    std::string name = operation;
    if (exact || by_modes) name += "!";
    if (constants && exact)
      if (const auto folded = fold_constants(terms_, name, sort, operands)) return *folded;
    add_modes(sort, terms_[operands[0]].sort, name);
    if (op == spv::Op::OpQuantizeToF16) add_modes(Sort::float16, Sort::float16, name);
    return terms_.apply(sort, name, operands, {}, any_order);
  };
  const auto plain = [&] {
    if (!exact && !by_modes)
      if (const auto decided = inputs_.ranges().decided(spirv::name_of(op), sort, operands)) return *decided;
    return named(spirv::name_of(op), commutes(op));
  };
  if (const std::optional<Term> scalarized = over_choices(op, sort, operands, exact)) return *scalarized;
  const Turned turn = turned(op);
  if (turn.op != op) {
    std::vector<Term> other(operands.begin(), operands.end());
    if (turn.swapped) std::swap(other[0], other[1]);
    const Term result = scalar_operation(turn.op, sort, other, exact);
    return turn.negated ? terms_.logical_not(result) : result;
  }
  if (by_modes) return plain();
  if (constants)
    if (const auto folded = fold_constants(terms_, spirv::name_of(op), sort, operands)) return *folded;
  const auto real = [&](std::size_t i) { return terms_.real_value(operands[i]); };
  switch (op) {
    case spv::Op::OpFAdd: return exact ? plain() : terms_.add(operands[0], operands[1]);
    case spv::Op::OpFSub: return exact ? plain() : terms_.subtract(operands[0], operands[1]);
    case spv::Op::OpFMul:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar: return exact ? named("FMul", true) : terms_.multiply(operands[0], operands[1]);
    case spv::Op::OpFNegate: return exact ? plain() : terms_.negate(operands[0]);
    case spv::Op::OpFDiv: {
      if (exact) return plain();
      if (constants && real(1) != 0) return terms_.real(sort, real(0) / real(1));
      if (terms_.is_constant(operands[1]) && is_normal(sort, real(1)) && is_normal(sort, 1 / real(1)))
        return terms_.multiply(operands[0], terms_.real(sort, 1 / real(1)));
      return terms_.multiply(operands[0], terms_.apply(sort, "inverse", {operands[1]}));
    }
    case spv::Op::OpIAdd: return terms_.add(operands[0], operands[1]);
    case spv::Op::OpISub: return terms_.subtract(operands[0], operands[1]);
    case spv::Op::OpIMul: return terms_.multiply(operands[0], operands[1]);
    case spv::Op::OpSNegate: return terms_.negate(operands[0]);
    case spv::Op::OpShiftLeftLogical:
      if (terms_.is_constant(operands[1]) && terms_.bits(operands[1]) < width_of(sort))
        return terms_.scale(operands[0], std::uint64_t{1} << terms_.bits(operands[1]));
      return plain();
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpBitwiseOr: return operands[0] == operands[1] && is_same(operands[0]) ? operands[0] : plain();
    case spv::Op::OpLogicalAnd: return terms_.logical_and(operands[0], operands[1]);
    case spv::Op::OpLogicalOr: return terms_.logical_or(operands[0], operands[1]);
    case spv::Op::OpLogicalNot: return terms_.logical_not(operands[0]);
    case spv::Op::OpLogicalEqual: return terms_.choose(operands[0], operands[1], terms_.logical_not(operands[1]));
    case spv::Op::OpLogicalNotEqual: return terms_.choose(operands[0], terms_.logical_not(operands[1]), operands[1]);
    case spv::Op::OpSelect: return terms_.choose(operands[0], operands[1], operands[2]);
    case spv::Op::OpIEqual: {
      const auto known = equal_integers(operands[0], operands[1]);
      return known ? *known : plain();
    }
    case spv::Op::OpULessThan:
    case spv::Op::OpSLessThan:
      return operands[0] == operands[1] && is_same(operands[0]) ? terms_.boolean(false) : plain();
    case spv::Op::OpFConvert:
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert: {
      const Term narrow = narrowed(sort, operands[0]);
      return narrow != kNoTerm ? narrow : plain();
    }
    case spv::Op::OpBitFieldUExtract:
    case spv::Op::OpBitFieldSExtract: {
      const Term field = field_of_pair(op, sort, operands, kMostHalves);
      return field != kNoTerm ? field : plain();
    }
    default: return plain();
  }
}

// What a conversion to `sort` gives back: the number itself, or what was widened to it. Else none: a mode of this stage
// may change what the conversion makes of a denormal or of NaN.
Term Machine::narrowed(Sort sort, Term number) const {
  if (terms_[number].sort == sort) return number;
  if (width_of(sort) >= width_of(terms_[number].sort) || has_modes_of(sort, terms_[number].sort)) return kNoTerm;
  if (!terms_.is(number, "FConvert") && !terms_.is(number, "UConvert") && !terms_.is(number, "SConvert"))
    return kNoTerm;
  const Term from = terms_.children(number)[0];
  return terms_[from].sort == sort ? from : kNoTerm;
}

bool Machine::has_16_bits(Term constant, const char* conversion) const {
  const Sort sort = terms_[constant].sort;
  if (is_float(sort)) {
    const double value = terms_.real_value(constant);
    int exponent = 0;
    const double scaled = std::ldexp(std::frexp(value, &exponent), 11);  // 11 bits with the one that is not stored
    return value == 0 || (is_normal(Sort::float16, value) && std::floor(scaled) == scaled);
  }
  if (std::string_view(conversion) == "UConvert") return terms_.bits(constant) <= 0xffff;
  return terms_.signed_value(constant) >= -0x8000 && terms_.signed_value(constant) <= 0x7fff;
}

bool Machine::is_half_of_pair(Term term, std::string_view conversion) const {
  if (conversion == "FConvert") return terms_.is(term, "glsl.UnpackHalf2x16.62");
  return terms_.is(term, conversion == "UConvert" ? "BitFieldUExtract" : "BitFieldSExtract") &&
         terms_.is_constant(terms_.children(term)[2]) && terms_.bits(terms_.children(term)[2]) == 16;
}

// Every part of the term was converted from 16 bits, by this conversion, was half of a pair, or is a constant that 16
// bits hold.
bool Machine::is_widened(Term term, const char* conversion, std::uint32_t choices) const {
  if (terms_.is_constant(term)) return has_16_bits(term, conversion);
  if (is_half_of_pair(term, conversion)) return true;
  if (terms_.is(term, conversion)) return width_of(terms_[terms_.children(term)[0]].sort) == 16;
  if (terms_[term].kind != Kind::choice || choices == 0) return false;
  const auto parts = terms_.children(term);
  return is_widened(parts[1], conversion, choices - 1) && is_widened(parts[2], conversion, choices - 1);
}

// Half of an integer: of the number that was inserted as its upper half, of the one that it was inserted into, or all
// of a number that has no more bits.
Term Machine::field_of_pair(spv::Op op, Sort sort, std::span<const Term> operands, std::uint32_t choices) {
  const auto is_number = [&](Term term, std::uint64_t number) {
    return terms_.is_constant(term) && terms_.bits(term) == number;
  };
  const bool is_upper = is_number(operands[1], 16);
  if (sort != Sort::int32 || !is_number(operands[2], 16) || (!is_upper && !is_number(operands[1], 0))) return kNoTerm;
  if (!is_upper && is_widened(operands[0], op == spv::Op::OpBitFieldUExtract ? "UConvert" : "SConvert", kMostHalves))
    return operands[0];
  if (terms_[operands[0]].kind == Kind::choice && choices > 0)
    return of_both(operands[0], [&](Term each) {
      const Term field[] = {each, operands[1], operands[2]};
      return field_of_pair(op, sort, field, choices - 1);
    });
  if (!terms_.is(operands[0], "BitFieldInsert")) return kNoTerm;
  const auto pair = terms_.children(operands[0]);
  if (!is_number(pair[2], 16) || !is_number(pair[3], 16)) return kNoTerm;
  const Term field[] = {pair[is_upper ? 1 : 0], terms_.integer(0), terms_.integer(16)};
  return scalar_operation(op, sort, field, false);
}

// As scalar_operation(). What is exact in the linked pipeline only is right for what the original left free: there it
// is what the original has of the two.
Term Machine::known_operation(spv::Op op, Sort sort, std::span<const Term> operands, bool exact) {
  const Term result = scalar_operation(op, sort, operands, exact);
  if (!exact || !terms_.has_original() || terms_.is_of_original(result)) return result;
  const Term plain = scalar_operation(op, sort, operands, false);
  return terms_.is_of_original(plain) ? plain : result;
}

// The same bits as a row of other scalars; the lowest come first (SPIR-V 3.49.11, OpBitcast).
Value Machine::bit_cast(Id type, const Value& operand) {
  const std::vector<Sort> sorts = facts_.sorts(type);
  Value result;
  for (std::size_t i = 0; i < sorts.size(); ++i) {
    if (sorts.size() == operand.leaves.size()) {
      result.leaves.push_back(terms_.bits_as(sorts[i], operand.leaves[i]));
      continue;
    }
    result.leaves.push_back(terms_.part_of_bits(sorts[i], operand.leaves, i));
  }
  return result;
}

std::optional<Value> Machine::matrix_arithmetic(spv::Op op, Id type, std::span<const Value> operands,
                                                std::span<const Id> operand_types, bool exact) {
  const auto rows_of = [&](Id matrix) { return facts_.leaf_count(facts_.element(matrix)); };
  const auto dot = [&](auto&& left, auto&& right, std::uint32_t count) {
    Term sum = kNoTerm;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Term product = terms_.multiply(left(i), right(i));
      sum = sum == kNoTerm ? product : terms_.add(sum, product);
    }
    return sum;
  };
  const auto leaf = [&](std::size_t operand, std::uint32_t i) { return operands[operand].leaves[i]; };
  if (op != spv::Op::OpDot && op != spv::Op::OpMatrixTimesVector && op != spv::Op::OpVectorTimesMatrix &&
      op != spv::Op::OpMatrixTimesMatrix && op != spv::Op::OpOuterProduct && op != spv::Op::OpTranspose)
    return std::nullopt;
  Value result;
  const bool by_modes = are_constants_under_modes(facts_.sorts(type)[0], operands);
  if ((exact || by_modes) && op != spv::Op::OpTranspose) {
    std::vector<Term> parts;
    for (const Value& operand : operands) parts.insert(parts.end(), operand.leaves.begin(), operand.leaves.end());
    const std::vector<Sort> sorts = facts_.sorts(type);
    for (std::size_t i = 0; i < sorts.size(); ++i) {
      const std::uint64_t component[] = {i};
      result.leaves.push_back(terms_.apply(sorts[i], spirv::name_of(op) + exact_mark(sorts[i]), parts, component));
    }
    return result;
  }
  const auto count = [&](std::size_t operand) { return static_cast<std::uint32_t>(operands[operand].leaves.size()); };
  switch (op) {
    case spv::Op::OpDot:
      result.leaves = {dot([&](auto i) { return leaf(0, i); }, [&](auto i) { return leaf(1, i); }, count(0))};
      break;
    case spv::Op::OpMatrixTimesVector: {
      const std::uint32_t rows = rows_of(operand_types[0]);
      for (std::uint32_t row = 0; row < rows; ++row)
        result.leaves.push_back(
            dot([&](auto i) { return leaf(0, i * rows + row); }, [&](auto i) { return leaf(1, i); }, count(1)));
      break;
    }
    case spv::Op::OpVectorTimesMatrix: {
      const std::uint32_t rows = rows_of(operand_types[1]);
      for (std::uint32_t column = 0; column < count(1) / rows; ++column)
        result.leaves.push_back(
            dot([&](auto i) { return leaf(0, i); }, [&](auto i) { return leaf(1, column * rows + i); }, rows));
      break;
    }
    case spv::Op::OpMatrixTimesMatrix: {
      const std::uint32_t rows = rows_of(operand_types[0]), inner = rows_of(operand_types[1]);
      for (std::uint32_t column = 0; column < count(1) / inner; ++column)
        for (std::uint32_t row = 0; row < rows; ++row)
          result.leaves.push_back(dot([&](auto i) { return leaf(0, i * rows + row); },
                                      [&](auto i) { return leaf(1, column * inner + i); }, inner));
      break;
    }
    case spv::Op::OpOuterProduct:
      for (std::uint32_t column = 0; column < count(1); ++column)
        for (std::uint32_t row = 0; row < count(0); ++row)
          result.leaves.push_back(terms_.multiply(leaf(0, row), leaf(1, column)));
      break;
    default: {  // transpose
      const std::uint32_t rows = rows_of(operand_types[0]), columns = count(0) / rows;
      for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column)
          result.leaves.push_back(leaf(0, column * rows + row));
    }
  }
  return result;
}

Value Machine::arithmetic(spv::Op op, Id type, std::span<const Value> operands, bool exact,
                          std::span<const Id> operand_types) {
  if (op == spv::Op::OpBitcast) return bit_cast(type, operands[0]);
  if (std::optional<Value> matrix = matrix_arithmetic(op, type, operands, operand_types, exact))
    return std::move(*matrix);
  Value result;
  if (op == spv::Op::OpAny || op == spv::Op::OpAll) {
    Term all = operands[0].leaves[0];
    for (const Term leaf : operands[0].leaves)
      all = op == spv::Op::OpAny ? terms_.logical_or(all, leaf) : terms_.logical_and(all, leaf);
    return {{all}, {}};
  }
  const std::vector<Sort> sorts = facts_.sorts(type);
  if (op == spv::Op::OpSelect || is_component_wise(op)) {
    for (std::size_t i = 0; i < sorts.size(); ++i) {
      std::vector<Term> parts;
      for (const Value& operand : operands) {
        if (operand.leaves.empty()) throw Unsupported{"arithmetic on pointers"};
        parts.push_back(operand.leaves.size() == 1 ? operand.leaves[0] : operand.leaves.at(i));
      }
      result.leaves.push_back(known_operation(op, sorts[i], parts, exact));
    }
    return result;
  }
  if (op != spv::Op::OpIAddCarry && op != spv::Op::OpISubBorrow && op != spv::Op::OpUMulExtended &&
      op != spv::Op::OpSMulExtended)
    throw Unsupported{"Op" + spirv::name_of(op) + " has no reading"};
  const std::size_t count = sorts.size() / 2;
  for (std::size_t i = 0; i < sorts.size(); ++i) {
    const std::uint64_t half[] = {i / count};
    const Term parts[] = {operands[0].leaves[i % count], operands[1].leaves[i % count]};
    result.leaves.push_back(terms_.apply(sorts[i], spirv::name_of(op), parts, half));
  }
  return result;
}

bool Machine::run_arithmetic(spirv::InstRef ref) {
  const spirv::Inst& inst = module_[ref];
  if (inst.result == 0 || inst.type == 0) return false;
  std::vector<Value> operands;
  std::vector<Id> types;
  for (const spirv::Operand& operand : module_.operands(ref)) {
    if (!operand.is_id || module_.type_of(operand.word) == 0) return false;
    operands.push_back(value(operand.word));
    types.push_back(module_.type_of(operand.word));
  }
  if (operands.empty()) return false;
  const bool converts = inst.op == spv::Op::OpFConvert || inst.op == spv::Op::OpConvertSToF ||
                        inst.op == spv::Op::OpConvertUToF || inst.op == spv::Op::OpQuantizeToF16;
  if (const auto* mode = converts ? facts_.decoration(inst.result, spv::Decoration::FPRoundingMode) : nullptr) {
    set(inst.result, rounded(inst.type, operands[0], *mode));
    return true;
  }
  const std::vector<Sort> sorts = facts_.sorts(inst.type);
  if (sorts.empty()) throw Unsupported{"arithmetic on values without components"};
  const bool exact = is_exact(inst.result, sorts[0]);
  set(inst.result, arithmetic(inst.op, inst.type, operands, exact, types));
  return true;
}

}  // namespace varylink::prove
