// Reading an Operation from an instruction of a module: sizes and widths from its types.
#include <algorithm>
#include <bit>

#include "analysis/operation_cost.h"
#include "spirv/ir/op_info.h"
#include "spirv/ir/operations.h"
#include "spirv/ir/product_shape.h"
#include "spirv/ir/scalar_view.h"

namespace varylink::analysis {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

// Types nest no deeper in valid modules; damaged ones must not take us down.
constexpr int kMaxDepth = 32;

// Large arrays count as this many.
constexpr std::uint64_t kMaxCount = 0xffff;

std::uint32_t array_length(const Module& module, Id length) {
  const InstRef def = module.def(length);
  return def && module[def].op == Op::OpConstant ? std::max(module.operand(def, 0).word, 1u) : 1u;
}

std::uint64_t count(const Module& module, Id type, int depth) {
  const InstRef def = module.def(type);
  if (!def || depth > kMaxDepth) return 0;
  const auto inner = [&](std::uint32_t position) {
    return count(module, module.operand(def, position).word, depth + 1);
  };
  switch (spirv::type_kind(module, type)) {
    case spirv::TypeKind::boolean: return 1;
    case spirv::TypeKind::integer:
    case spirv::TypeKind::floating: return module.operand(def, 0).word > 32 ? 2 : 1;
    case spirv::TypeKind::vector:
    case spirv::TypeKind::matrix: return inner(0) * module.operand(def, 1).word;
    case spirv::TypeKind::array: return inner(0) * array_length(module, module.operand(def, 1).word);
    case spirv::TypeKind::runtime_array: return inner(0);
    case spirv::TypeKind::structure: {
      std::uint64_t total = 0;
      for (std::uint32_t i = 0; i < module[def].operand_count; ++i) total += inner(i);
      return total;
    }
    default: return 0;
  }
}

// Components of a vector, rows of a matrix; 1 for everything else.
std::uint32_t vector_length(const Module& module, Id type) {
  const InstRef def = module.def(type);
  if (!def) return 1;
  if (module[def].op == Op::OpTypeVector) return module.operand(def, 1).word;
  return module[def].op == Op::OpTypeMatrix ? vector_length(module, module.operand(def, 0).word) : 1;
}

// The type behind a pointer, and its storage class.
std::pair<Id, spv::StorageClass> pointee(const Module& module, Id pointer) {
  const InstRef type = module.def(module.type_of(pointer));
  if (!type || module[type].op != Op::OpTypePointer) return {0, spv::StorageClass::Function};
  return {module.operand(type, 1).word, static_cast<spv::StorageClass>(module.operand(type, 0).word)};
}

// Length of the vectors that a product sums over.
std::uint32_t summed_length(const Module& module, InstRef inst) {
  if (const auto shape = spirv::product_shape(module, inst)) return shape->inner;
  return vector_length(module, module.type_of(module.operand(inst, spirv::first_value_operand(module, inst)).word));
}

bool is_power_of_two(const Module& module, InstRef constant) {
  const InstRef type = module.def(module[constant].type);
  const std::uint32_t word = module.operand(constant, 0).word;
  return type && module[type].op == Op::OpTypeInt && std::has_single_bit(word);
}

// The dearest of its components. Specialization constants are constants to a compiler, but of any value.
RightOperand right_operand(const Module& module, Id id) {
  const InstRef def = module.def(id);
  if (!def) return RightOperand::variable;
  switch (module[def].op) {
    case Op::OpConstant: return is_power_of_two(module, def) ? RightOperand::power_of_two : RightOperand::constant;
    case Op::OpSpecConstant: return RightOperand::constant;
    case Op::OpConstantComposite: {
      RightOperand dearest = RightOperand::power_of_two;
      for (const spirv::Operand& part : module.operands(def))
        dearest = std::min(dearest, right_operand(module, part.word));
      return dearest;
    }
    default: return RightOperand::variable;
  }
}

// A product takes its factors in any order.
RightOperand right_operand(const Module& module, InstRef inst) {
  const auto operand = [&](std::uint32_t position) {
    return right_operand(module, module.operand(inst, position).word);
  };
  if (module[inst].op == Op::OpIMul) return std::max(operand(0), operand(1));
  return module[inst].op >= Op::OpUDiv && module[inst].op <= Op::OpFMod ? operand(1) : RightOperand::variable;
}

}  // namespace

std::uint32_t scalar_count(const Module& module, Id type) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count(module, type, 0), kMaxCount));
}

std::uint32_t scalar_width(const Module& module, Id type) {
  const InstRef def = module.def(type);
  if (!def) return 32;
  switch (spirv::type_kind(module, type)) {
    case spirv::TypeKind::integer:
    case spirv::TypeKind::floating: return module.operand(def, 0).word;
    case spirv::TypeKind::vector:
    case spirv::TypeKind::matrix: return scalar_width(module, module.operand(def, 0).word);
    default: return 32;
  }
}

Operation operation_of(const Module& module, InstRef inst) {
  Operation operation;
  operation.op = module[inst].op;
  const bool is_store = operation.op == Op::OpStore;
  if (operation.op == Op::OpExtInst) {
    if (!spirv::is_glsl_inst(module, inst)) return {};  // debug information and other sets that mean nothing here
    operation.glsl = module.operand(inst, 1).word;
  }
  if (is_store || operation.op == Op::OpLoad) operation.storage = pointee(module, module.operand(inst, 0).word).second;
  const Id type = is_store ? module.type_of(module.operand(inst, 1).word) : module[inst].type;
  operation.results = std::max(spirv::scalars_of_type(module, type), 1u);
  operation.width = scalar_width(module, type);
  if (operation.op == Op::OpLoad || is_store) return operation;
  for (const spirv::Operand& operand : module.operands(inst))
    if (operand.is_id) operation.width = std::max(operation.width, scalar_width(module, module.type_of(operand.word)));
  operation.length = summed_length(module, inst);
  operation.right = right_operand(module, inst);
  return operation;
}

}  // namespace varylink::analysis
