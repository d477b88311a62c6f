#include "graph/value_range.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <random>

#include "support/catch.h"

namespace varylink::graph {
namespace {

using spv::Op;
using varyings::ScalarKind;
using varyings::ScalarType;

constexpr ScalarType kInt{ScalarKind::sint, 32}, kUint{ScalarKind::uint, 32};

Value operation(Op op, ScalarType type, std::vector<ValueId> operands, std::uint32_t glsl = 0) {
  Value value;
  value.kind = ValueKind::operation;
  value.op = op;
  value.glsl = glsl;
  value.type = type;
  value.operands = std::move(operands);
  return value;
}

Value leaf(ScalarType type, std::uint32_t number) {
  Value value;
  value.type = type;
  value.words = {number, 0};
  return value;
}

std::uint32_t remainder(Op op, std::uint32_t a, std::uint32_t b) {
  if (op == Op::OpUMod) return a % b;
  const std::int64_t x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
  const std::int64_t result = x % y;
  return static_cast<std::uint32_t>(op == Op::OpSMod && result < 0 ? result + y : result);
}

std::uint32_t function(std::uint32_t glsl, const std::vector<std::uint32_t>& x) {
  const auto number = [&](std::size_t i) { return static_cast<std::int32_t>(x[i]); };
  switch (glsl) {
    case GLSLstd450UMin: return std::min(x[0], x[1]);
    case GLSLstd450UMax: return std::max(x[0], x[1]);
    case GLSLstd450UClamp: return std::min(std::max(x[0], x[1]), x[2]);
    case GLSLstd450SMin: return static_cast<std::uint32_t>(std::min(number(0), number(1)));
    case GLSLstd450SMax: return static_cast<std::uint32_t>(std::max(number(0), number(1)));
    case GLSLstd450SClamp: return static_cast<std::uint32_t>(std::min(std::max(number(0), number(1)), number(2)));
    case GLSLstd450SAbs: return number(0) < 0 ? 0 - x[0] : x[0];
    default: return static_cast<std::uint32_t>(number(0) < 0 ? -1 : number(0) > 0 ? 1 : 0);
  }
}

// What the operation gives for these bits.
std::uint32_t evaluated(const Value& value, const std::vector<std::uint32_t>& x) {
  switch (value.op) {
    case Op::OpIAdd: return x[0] + x[1];
    case Op::OpISub: return x[0] - x[1];
    case Op::OpIMul: return x[0] * x[1];
    case Op::OpSNegate: return 0 - x[0];
    case Op::OpBitwiseAnd: return x[0] & x[1];
    case Op::OpBitwiseOr: return x[0] | x[1];
    case Op::OpBitwiseXor: return x[0] ^ x[1];
    case Op::OpShiftLeftLogical: return x[0] << x[1];
    case Op::OpShiftRightLogical: return x[0] >> x[1];
    case Op::OpShiftRightArithmetic: return static_cast<std::uint32_t>(static_cast<std::int32_t>(x[0]) >> x[1]);
    case Op::OpUDiv: return x[0] / x[1];
    case Op::OpSDiv:
      return static_cast<std::uint32_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(x[0])) /
                                        static_cast<std::int32_t>(x[1]));
    case Op::OpUMod:
    case Op::OpSRem:
    case Op::OpSMod: return remainder(value.op, x[0], x[1]);
    case Op::OpSelect: return x[0] != 0 ? x[1] : x[2];
    case Op::OpExtInst: return function(value.glsl, x);
    default: return x[0];
  }
}

// A random graph of integers over three leaves with ranges. Operations take operands of either signedness.
struct Subject {
  explicit Subject(std::mt19937& generator) : random(generator) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      ValueRange range = full_range(i == 0 ? kUint : kInt);
      if (below(2) == 0) range = {i == 0 ? 3 : -std::int64_t{below(20)}, std::int64_t{below(50)} + 3, {}};
      leaves.push_back(range);
      values.push_back(graph.intern(leaf(i == 0 ? kUint : kInt, i)));
    }
    boolean = graph.intern(leaf({ScalarKind::boolean, 32}, 3));
    leaves.push_back(full_range({ScalarKind::boolean, 32}));
    for (int i = 0; i < 14; ++i) add();
  }

  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); }
  ValueId any() { return values[below(static_cast<std::uint32_t>(values.size()))]; }
  ValueId any(ScalarType type) {
    for (int i = 0; i < 50; ++i)
      if (const ValueId value = any(); graph[value].type == type) return value;
    return graph.constant(type, {below(9)});
  }

  void add() {
    const ScalarType type = below(2) == 0 ? kInt : kUint;
    const auto positive = [&] { return graph.constant(type, {1 + below(12)}); };
    switch (below(7)) {
      case 0: values.push_back(graph.constant(type, {below(3) == 0 ? 0u - below(9) : below(70)})); break;
      case 1: {
        static constexpr Op kAny[] = {Op::OpIAdd,       Op::OpISub,      Op::OpIMul,
                                      Op::OpBitwiseAnd, Op::OpBitwiseOr, Op::OpBitwiseXor};
        values.push_back(graph.intern(operation(kAny[below(6)], type, {any(), any()})));
        break;
      }
      case 2: {
        static constexpr Op kShifts[] = {Op::OpShiftLeftLogical, Op::OpShiftRightLogical, Op::OpShiftRightArithmetic};
        values.push_back(graph.intern(operation(kShifts[below(3)], type, {any(), positive()})));
        break;
      }
      case 3: {
        static constexpr Op kDivisions[] = {Op::OpSDiv, Op::OpSRem, Op::OpSMod, Op::OpUDiv, Op::OpUMod};
        values.push_back(graph.intern(operation(kDivisions[below(5)], type, {any(), positive()})));
        break;
      }
      case 4: values.push_back(graph.intern(operation(Op::OpSelect, type, {boolean, any(type), any(type)}))); break;
      case 5: values.push_back(graph.intern(operation(Op::OpBitcast, type, {any()}))); break;
      default: {
        static constexpr std::uint32_t kSigned[] = {GLSLstd450SMin, GLSLstd450SMax, GLSLstd450SClamp, GLSLstd450SAbs,
                                                    GLSLstd450SSign},
                                       kUnsigned[] = {GLSLstd450UMin, GLSLstd450UMax, GLSLstd450UClamp};
        const std::uint32_t glsl = below(2) == 0 ? kSigned[below(5)] : kUnsigned[below(3)];
        std::vector<ValueId> operands = {any()};
        const bool one = glsl == GLSLstd450SAbs || glsl == GLSLstd450SSign;
        const bool three = glsl == GLSLstd450SClamp || glsl == GLSLstd450UClamp;
        if (!one) operands.push_back(graph.constant(type, {2 + below(5)}));
        if (three) operands.push_back(graph.constant(type, {7 + below(9)}));
        values.push_back(graph.intern(operation(Op::OpExtInst, type, operands, glsl)));
      }
    }
  }

  std::uint32_t draw(const ValueRange& range) {
    const auto extent = static_cast<std::uint64_t>(range.greatest - range.least);
    if (below(4) == 0) return static_cast<std::uint32_t>(below(2) == 0 ? range.least : range.greatest);
    return static_cast<std::uint32_t>(range.least + static_cast<std::int64_t>(random() % (extent + 1)));
  }

  // The bits of every value, for random bits of the leaves.
  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> bits(graph.size(), 0);
    for (ValueId id = 0; id < graph.size(); ++id) {
      const Value& value = graph[id];
      std::vector<std::uint32_t> operands;
      for (const ValueId operand : value.operands) operands.push_back(bits[operand]);
      if (value.kind == ValueKind::leaf) bits[id] = draw(leaves[value.words[0]]);
      if (value.kind == ValueKind::constant) bits[id] = value.words[0];
      if (value.kind == ValueKind::operation) bits[id] = evaluated(value, operands);
    }
    return bits;
  }

  std::mt19937& random;
  ValueGraph graph;
  std::vector<ValueRange> leaves;
  std::vector<ValueId> values;
  ValueId boolean = 0;
};

TEST_CASE("integers are in the range that is proved of them", "[range]") {
  std::mt19937 random(3);
  std::size_t bounded = 0;
  for (int round = 0; round < 600; ++round) {
    Subject subject(random);
    ValueRanges ranges(subject.graph, [&](ValueId id) { return subject.leaves[subject.graph[id].words[0]]; });
    for (int run = 0; run < 30; ++run) {
      const std::vector<std::uint32_t> bits = subject.run();
      for (const ValueId id : subject.values) {
        const ValueRange range = ranges.of(id);
        const std::int64_t number =
            subject.graph[id].type == kInt ? std::int64_t{static_cast<std::int32_t>(bits[id])} : std::int64_t{bits[id]};
        const bool inside = range.least <= number && number <= range.greatest;
        const bool listed = range.constants.empty() || std::find(range.constants.begin(), range.constants.end(),
                                                                 bits[id]) != range.constants.end();
        CHECK((inside && listed));
        bounded += run == 0 && range.greatest - range.least < 0x7fffffff;
      }
    }
  }
  CHECK(bounded > 3000);
}

TEST_CASE("a value that is one of three constants is not one of few", "[range]") {
  ValueGraph graph;
  const ValueId condition = graph.intern(leaf({ScalarKind::boolean, 32}, 0));
  const ValueId a = graph.constant(kUint, {5}), b = graph.constant(kUint, {9}), c = graph.constant(kUint, {7});
  const ValueId two = graph.intern(operation(Op::OpSelect, kUint, {condition, a, b}));
  const ValueId three = graph.intern(operation(Op::OpSelect, kUint, {condition, two, c}));
  ValueRanges ranges(graph, [&](ValueId id) { return full_range(graph[id].type); });
  CHECK(ranges.of(two).constants == std::vector<std::uint32_t>{5, 9});
  CHECK(ranges.of(three).constants.empty());
  CHECK(ranges.of(three).least == 5);
  CHECK(ranges.of(three).greatest == 9);
}

}  // namespace
}  // namespace varylink::graph
