// The type questions of interface_variable.h.
#include "spirv/ir/globals.h"
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

}  // namespace

bool is_storage_only(const Module& module, ScalarType scalar) {
  if (scalar.width != 16) return false;
  const bool is_float = scalar.kind == ScalarKind::floating;
  return !module.has_capability(is_float ? spv::Capability::Float16 : spv::Capability::Int16);
}

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

std::optional<std::uint32_t> array_length(const Module& module, Id type) {
  if (module.def_op(type) != spv::Op::OpTypeArray) return std::nullopt;
  const auto length = constant_int(module, operand_word(module, type, 1));
  if (!length || *length < 0 || *length > 0xffffffffll) return std::nullopt;
  return static_cast<std::uint32_t>(*length);
}

}  // namespace varylink::varyings
