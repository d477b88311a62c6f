#include "graph/vector_functions.h"

#include <spirv/unified1/GLSL.std.450.h>

namespace varylink::graph {
namespace {

using spv::Op;
using Components = std::vector<Ref>;

constexpr varyings::ScalarType kBoolean{varyings::ScalarKind::boolean, 1};

// The bits of 0, 1 and 2.
std::vector<std::uint32_t> float_words(std::uint32_t width, std::uint32_t number) {
  const std::uint32_t half = number == 0 ? 0 : number == 1 ? 0x3c00u : 0x4000u;
  const std::uint32_t single = number == 0 ? 0 : number == 1 ? 0x3f800000u : 0x40000000u;
  const std::uint32_t high = number == 0 ? 0 : number == 1 ? 0x3ff00000u : 0x40000000u;
  if (width == 64) return {0, high};
  return {width == 16 ? half : single};
}

class Writer {
 public:
  explicit Writer(const ScalarCode& code) : code_(code) {}

  Ref binary(Op op, Ref a, Ref b) const { return code_.operation(op, 0, code_.type, {a, b}); }
  Ref add(Ref a, Ref b) const { return binary(Op::OpFAdd, a, b); }
  Ref subtract(Ref a, Ref b) const { return binary(Op::OpFSub, a, b); }
  Ref multiply(Ref a, Ref b) const { return binary(Op::OpFMul, a, b); }
  Ref negate(Ref a) const { return code_.operation(Op::OpFNegate, 0, code_.type, {a}); }
  Ref glsl(std::uint32_t number, Ref a) const { return code_.operation(Op::OpExtInst, number, code_.type, {a}); }
  Ref number(std::uint32_t value) const { return code_.constant(code_.type, float_words(code_.type.width, value)); }
  Ref is_negative(Ref a) const { return code_.operation(Op::OpFOrdLessThan, 0, kBoolean, {a, number(0)}); }
  Ref select(Ref condition, Ref a, Ref b) const {
    return code_.operation(Op::OpSelect, 0, code_.type, {condition, a, b});
  }

  Ref dot(const Components& a, const Components& b) const {
    Ref sum = multiply(a[0], b[0]);
    for (std::size_t i = 1; i < a.size(); ++i) sum = add(sum, multiply(a[i], b[i]));
    return sum;
  }

  template <typename Function>
  static Components each(std::size_t count, Function function) {
    Components result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(function(i));
    return result;
  }

  Components joined(Op op, const Components& truths) const {
    Ref all = truths[0];
    for (std::size_t i = 1; i < truths.size(); ++i) all = code_.operation(op, 0, kBoolean, {all, truths[i]});
    return {all};
  }

  Components normalized(const Components& v) const {
    const Ref factor = glsl(GLSLstd450InverseSqrt, dot(v, v));
    return each(v.size(), [&](std::size_t i) { return multiply(v[i], factor); });
  }

  Components cross(const Components& a, const Components& b) const {
    return each(3, [&](std::size_t i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      return subtract(multiply(a[j], b[k]), multiply(a[k], b[j]));
    });
  }

  Components facing_forward(const Components& normal, const Components& incident, const Components& reference) const {
    const Ref faces = is_negative(dot(reference, incident));
    return each(normal.size(), [&](std::size_t i) { return select(faces, normal[i], negate(normal[i])); });
  }

  Components reflected(const Components& incident, const Components& normal) const {
    const Ref twice = multiply(number(2), dot(normal, incident));
    return each(normal.size(), [&](std::size_t i) { return subtract(incident[i], multiply(twice, normal[i])); });
  }

  Components refracted(const Components& incident, const Components& normal, Ref eta) const {
    const Ref cosine = dot(normal, incident);
    const Ref sine_squared = subtract(number(1), multiply(cosine, cosine));
    const Ref rest = subtract(number(1), multiply(multiply(eta, eta), sine_squared));
    const Ref factor = add(multiply(eta, cosine), glsl(GLSLstd450Sqrt, rest));
    const Ref is_total = is_negative(rest);
    return each(normal.size(), [&](std::size_t i) {
      return select(is_total, number(0), subtract(multiply(eta, incident[i]), multiply(factor, normal[i])));
    });
  }

 private:
  const ScalarCode& code_;
};

}  // namespace

std::optional<std::vector<Ref>> vector_function(const spirv::OperationRow& row, const std::vector<Components>& operands,
                                                const ScalarCode& code) {
  const Writer writer(code);
  if (operands.empty() || operands[0].size() < 2) return std::nullopt;
  if (row.op == Op::OpAny) return writer.joined(Op::OpLogicalOr, operands[0]);
  if (row.op == Op::OpAll) return writer.joined(Op::OpLogicalAnd, operands[0]);
  if (row.op != Op::OpExtInst) return std::nullopt;
  const Components& first = operands[0];
  switch (row.glsl) {
    case GLSLstd450Length: return Components{writer.glsl(GLSLstd450Sqrt, writer.dot(first, first))};
    case GLSLstd450Distance: {
      const Components way =
          Writer::each(first.size(), [&](std::size_t i) { return writer.subtract(first[i], operands[1][i]); });
      return Components{writer.glsl(GLSLstd450Sqrt, writer.dot(way, way))};
    }
    case GLSLstd450Normalize: return writer.normalized(first);
    case GLSLstd450Cross: return writer.cross(first, operands[1]);
    case GLSLstd450FaceForward: return writer.facing_forward(first, operands[1], operands[2]);
    case GLSLstd450Reflect: return writer.reflected(first, operands[1]);
    case GLSLstd450Refract: return writer.refracted(first, operands[1], operands[2][0]);
    default: return std::nullopt;
  }
}

}  // namespace varylink::graph
