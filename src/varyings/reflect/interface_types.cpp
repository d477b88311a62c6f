// The type questions of interface_variable.h.
#include "spirv/ir/operations.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::Module;

std::uint32_t operand_word(const Module& module, Id value, std::uint32_t position) {
  const spirv::InstRef def = module.def(value);
  if (!def) return 0;
  const auto operands = module.operands(def);
  return position < operands.size() ? operands[position].word : 0;
}

std::int64_t sign_extend(std::uint64_t bits, std::uint32_t width) {
  if (width >= 64) return static_cast<std::int64_t>(bits);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const std::uint64_t mask = (sign << 1) - 1;
  return static_cast<std::int64_t>(((bits & mask) ^ sign) - sign);
}

}  // namespace

std::optional<ScalarType> scalar_type_of(const Module& module, Id type) {
  // A matrix is a vector of a vector of a scalar: two steps down at most.
  for (int depth = 0; depth < 3; ++depth) {
    switch (spirv::type_kind(module, type)) {
      case spirv::TypeKind::boolean: return ScalarType{ScalarKind::boolean, 1};
      case spirv::TypeKind::floating: return ScalarType{ScalarKind::floating, operand_word(module, type, 0)};
      case spirv::TypeKind::integer:
        return ScalarType{operand_word(module, type, 1) ? ScalarKind::sint : ScalarKind::uint,
                          operand_word(module, type, 0)};
      case spirv::TypeKind::vector:
      case spirv::TypeKind::matrix: type = operand_word(module, type, 0); break;
      default: return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> constant_int(const Module& module, Id value) {
  const spv::Op op = module.def_op(value);
  if (op != spv::Op::OpConstant && op != spv::Op::OpConstantNull) return std::nullopt;
  const Id type = module.type_of(value);
  if (module.def_op(type) != spv::Op::OpTypeInt) return std::nullopt;
  if (op == spv::Op::OpConstantNull) return 0;
  const std::uint32_t width = operand_word(module, type, 0);
  if (width == 0 || width > 64) return std::nullopt;
  std::uint64_t bits = operand_word(module, value, 0);
  if (width > 32) bits |= std::uint64_t{operand_word(module, value, 1)} << 32;
  if (operand_word(module, type, 1) != 0) return sign_extend(bits, width);
  return static_cast<std::int64_t>(width < 64 ? bits & ((std::uint64_t{1} << width) - 1) : bits);
}

std::optional<std::uint32_t> array_length(const Module& module, Id type) {
  if (module.def_op(type) != spv::Op::OpTypeArray) return std::nullopt;
  const auto length = constant_int(module, operand_word(module, type, 1));
  if (!length || *length < 0 || *length > 0xffffffffll) return std::nullopt;
  return static_cast<std::uint32_t>(*length);
}

}  // namespace varylink::varyings
