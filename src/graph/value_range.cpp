#include "graph/value_range.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>

#include "graph/operand_reading.h"

namespace varylink::graph {
namespace {

using spv::Op;
using varyings::ScalarKind;

ValueRange range(std::int64_t least, std::int64_t greatest) { return {least, greatest, {}}; }

bool contains(const ValueRange& outer, const ValueRange& inner) {
  return outer.least <= inner.least && inner.greatest <= outer.greatest;
}

bool is_single(const ValueRange& value) { return value.least == value.greatest; }

// The least 2^n - 1 that is not below a number that is not negative.
std::int64_t mask_over(std::int64_t number) {
  std::int64_t mask = 0;
  while (mask < number) mask = mask * 2 + 1;
  return mask;
}

std::int64_t as_number(std::uint32_t bits, varyings::ScalarType type) {
  if (type.kind == ScalarKind::sint) return static_cast<std::int32_t>(bits);
  return bits;
}

// Remainder by a positive constant: of the sign of the dividend, except for OpSMod.
ValueRange remainder(Op op, const ValueRange& dividend, std::int64_t divisor) {
  const bool negative = dividend.least < 0 && op == Op::OpSRem;
  const bool positive = dividend.greatest > 0 || op != Op::OpSRem;
  std::int64_t greatest = positive ? divisor - 1 : 0;
  if (dividend.least >= 0) greatest = std::min(greatest, dividend.greatest);
  return range(negative ? std::max(1 - divisor, dividend.least) : 0, greatest);
}

// The range of numbers that a type of 32 bits reads where `from` reads these: the same bits modulo 2^32.
ValueRange read_as(varyings::ScalarKind kind, const ValueRange& from) {
  const ValueRange full = full_range({kind, 32});
  for (const std::int64_t wrap : {0LL, -(1LL << 32), 1LL << 32}) {
    ValueRange moved = from;
    moved.least += wrap;
    moved.greatest += wrap;
    if (contains(full, moved)) return moved;
  }
  return full;
}

// Bounds of a function that is monotonic in each of its two operands.
template <typename Function>
ValueRange of_corners(const ValueRange& a, const ValueRange& b, Function function) {
  const auto corners = {function(a.least, b.least), function(a.least, b.greatest), function(a.greatest, b.least),
                        function(a.greatest, b.greatest)};
  return range(std::min(corners), std::max(corners));
}

// ---- what an operation makes of ranges of 32-bit integers, read as it reads its operands

std::optional<ValueRange> of_bits(Op op, const std::vector<ValueRange>& operands) {
  const ValueRange& a = operands.front();
  if (op == Op::OpBitcast) return range(a.least, a.greatest);
  if (operands.size() != 2) return std::nullopt;
  const ValueRange& b = operands[1];
  const bool both = a.least >= 0 && b.least >= 0;
  const bool shifts = is_single(b) && b.least >= 0 && b.least <= 31;
  switch (op) {
    case Op::OpBitwiseAnd:
      if (both) return range(0, std::min(a.greatest, b.greatest));
      if (a.least >= 0) return range(0, a.greatest);
      if (b.least >= 0) return range(0, b.greatest);
      return std::nullopt;
    case Op::OpBitwiseOr:
    case Op::OpBitwiseXor:
      if (!both) return std::nullopt;
      return range(0, mask_over(std::max(a.greatest, b.greatest)));
    case Op::OpShiftRightLogical: return shifts ? std::optional(range(0, a.greatest >> b.least)) : std::nullopt;
    case Op::OpShiftRightArithmetic:
      return shifts ? std::optional(range(a.least >> b.least, a.greatest >> b.least)) : std::nullopt;
    case Op::OpShiftLeftLogical:
      if (!shifts || a.least < 0) return std::nullopt;
      return range(a.least << b.least, a.greatest << b.least);
    default: return std::nullopt;
  }
}

std::optional<ValueRange> of_arithmetic(Op op, const std::vector<ValueRange>& operands) {
  const ValueRange& a = operands.front();
  if (op == Op::OpSNegate) return range(-a.greatest, -a.least);
  if (operands.size() != 2) return std::nullopt;
  const ValueRange& b = operands[1];
  const bool divides = is_single(b) && b.least > 0;
  switch (op) {
    case Op::OpIAdd: return range(a.least + b.least, a.greatest + b.greatest);
    case Op::OpISub: return range(a.least - b.greatest, a.greatest - b.least);
    case Op::OpIMul:
      if (std::max(std::abs(a.least), std::abs(a.greatest)) > 0x7fffffff ||
          std::max(std::abs(b.least), std::abs(b.greatest)) > 0x7fffffff)
        return std::nullopt;
      return of_corners(a, b, [](std::int64_t x, std::int64_t y) { return x * y; });
    case Op::OpUDiv:
    case Op::OpSDiv: return divides ? std::optional(range(a.least / b.least, a.greatest / b.least)) : std::nullopt;
    case Op::OpUMod:
    case Op::OpSRem:
    case Op::OpSMod: return divides ? std::optional(remainder(op, a, b.least)) : std::nullopt;
    default: return std::nullopt;
  }
}

// Minimum, maximum, clamp, absolute value and sign of GLSL.std.450.
std::optional<ValueRange> of_function(std::uint32_t glsl, const std::vector<ValueRange>& operands) {
  const ValueRange& a = operands.front();
  switch (glsl) {
    case GLSLstd450UMin:
    case GLSLstd450SMin:
      return of_corners(a, operands[1], [](std::int64_t x, std::int64_t y) { return std::min(x, y); });
    case GLSLstd450UMax:
    case GLSLstd450SMax:
      return of_corners(a, operands[1], [](std::int64_t x, std::int64_t y) { return std::max(x, y); });
    case GLSLstd450UClamp:
    case GLSLstd450SClamp: {  // undefined unless the bounds are in order; whatever is returned is one of the three
      const ValueRange &low = operands[1], &high = operands[2];
      if (low.greatest > high.least) return std::nullopt;
      return range(std::clamp(a.least, low.least, high.least), std::clamp(a.greatest, low.greatest, high.greatest));
    }
    case GLSLstd450SAbs:
      if (a.least == -0x80000000LL) return std::nullopt;
      return range(a.least > 0 ? a.least : (a.greatest < 0 ? -a.greatest : 0),
                   std::max(std::abs(a.least), std::abs(a.greatest)));
    case GLSLstd450SSign: return range(a.least < 0 ? -1 : 0, a.greatest > 0 ? 1 : 0);
    default: return std::nullopt;
  }
}

}  // namespace

ValueRange full_range(varyings::ScalarType type) {
  switch (type.kind) {
    case ScalarKind::sint: return range(-0x80000000LL, 0x7fffffffLL);
    case ScalarKind::boolean: return range(0, 1);
    default: return range(0, 0xffffffffLL);
  }
}

ValueRange either(const ValueRange& a, const ValueRange& b) {
  ValueRange result = range(std::min(a.least, b.least), std::max(a.greatest, b.greatest));
  if (a.constants.empty() || b.constants.empty()) return result;
  std::set_union(a.constants.begin(), a.constants.end(), b.constants.begin(), b.constants.end(),
                 std::back_inserter(result.constants));
  if (result.constants.size() > ValueRange::kMostConstants) result.constants.clear();
  return result;
}

ValueRange ValueRanges::of(ValueId wanted) {
  if (const auto found = known_.find(wanted); found != known_.end()) return found->second;
  const std::set<ValueId> parts = parts_of(graph_, {wanted});
  for (const ValueId part : parts) {
    if (known_.count(part) != 0) continue;
    if (graph_[part].kind != ValueKind::leaf) {
      known_.emplace(part, compute(part));
      continue;
    }
    known_.emplace(part, full_range(graph_[part].type));
    const ValueRange leaf = leaf_range_(part);
    known_[part] = leaf;
  }
  return known_.at(wanted);
}

ValueRange ValueRanges::compute(ValueId id) const {
  const Value& value = graph_[id];
  if (value.type.width > 32) return full_range(value.type);
  switch (value.kind) {
    case ValueKind::constant: {
      ValueRange result;
      result.least = result.greatest = as_number(value.words.front(), value.type);
      result.constants = {value.words.front()};
      return result;
    }
    case ValueKind::sites: {
      ValueRange result = operand(value, 0);
      for (std::size_t i = 1; i < value.operands.size(); ++i) result = either(result, operand(value, i));
      return result;
    }
    case ValueKind::operation: return of_operation(value);
    default: return full_range(value.type);
  }
}

// The numbers that the instruction reads in the bits of an operand.
ValueRange ValueRanges::operand_as_read(const Value& value, std::size_t index) const {
  const ValueRange& declared = operand(value, index);
  switch (operand_reading(value.op, value.glsl, index).value_or(Reading::bits)) {
    case Reading::sint: return read_as(ScalarKind::sint, declared);
    case Reading::uint: return read_as(ScalarKind::uint, declared);
    case Reading::integer: return read_as(value.type.kind, declared);
    default: return declared;
  }
}

ValueRange ValueRanges::of_operation(const Value& value) const {
  if (value.op == Op::OpSelect) return either(operand(value, 1), operand(value, 2));
  const auto is_integer = [](varyings::ScalarType type) {
    return (type.kind == ScalarKind::sint || type.kind == ScalarKind::uint) && type.width == 32;
  };
  const bool all_integers =
      is_integer(value.type) && std::all_of(value.operands.begin(), value.operands.end(),
                                            [&](ValueId each) { return is_integer(graph_[each].type); });
  if (!all_integers) return full_range(value.type);
  std::vector<ValueRange> operands;
  for (std::size_t i = 0; i < value.operands.size(); ++i) operands.push_back(operand_as_read(value, i));
  std::optional<ValueRange> result =
      value.op == Op::OpExtInst ? of_function(value.glsl, operands) : of_bits(value.op, operands);
  if (!result) result = of_arithmetic(value.op, operands);
  return result ? read_as(value.type.kind, *result) : full_range(value.type);
}

}  // namespace varylink::graph
