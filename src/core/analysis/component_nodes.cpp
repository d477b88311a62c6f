#include "analysis/component_nodes.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>

#include "analysis/operation_cost.h"
#include "spirv/ir/op_info.h"

namespace varylink::analysis {

using spirv::Id;
using spirv::InstRef;
using spv::Op;

Id constant_component(const spirv::Module& module, Id constant, std::uint32_t index) {
  while (module.def_op(constant) == Op::OpConstantComposite) {
    const auto parts = module.operands(module.def(constant));
    const bool is_struct = module.def_op(module.type_of(constant)) == Op::OpTypeStruct;
    const auto size = [&](std::size_t part) {
      return spirv::scalars_of_type(module, module.type_of(parts[part].word));
    };
    const std::uint32_t size_of_first = std::max(size(0), 1u);
    std::size_t part = is_struct ? 0 : index / size_of_first;
    if (!is_struct) index %= size_of_first;
    for (; is_struct && part < parts.size() && index >= size(part); ++part) index -= size(part);
    if (part >= parts.size()) break;
    constant = parts[part].word;
  }
  return constant;
}

// The mark of a constant without parts in sums and products.
NodeId ComponentNodes::constant(Id id) const {
  const InstRef def = module_.def(id);
  if (!def) return kNoNode;
  if (module_[def].op == Op::OpConstantNull) return kZero;
  if (module_[def].op != Op::OpConstant || scalar_width(module_, module_[def].type) > 32) return kNoNode;
  const std::uint32_t bits = module_.operand(def, 0).word;
  const bool is_float = module_.def_op(module_[def].type) == Op::OpTypeFloat;
  constexpr std::uint32_t kBitsOfOne = 0x3f800000;
  return bits == 0 ? kZero : is_float && bits == kBitsOfOne ? kOne : kNoNode;
}

NodeId ComponentNodes::component(Id value, std::uint32_t index) const {
  const Components& nodes = components(value);
  if (nodes.empty()) return constant(constant_component(module_, value, index));
  return nodes.size() == 1 ? nodes[0] : index < nodes.size() ? nodes[index] : kNoNode;
}

Components ComponentNodes::arranged(const std::vector<spirv::Scalar>& scalars) const {
  Components result;
  for (const spirv::Scalar& scalar : scalars)
    result.push_back(scalar.value == 0 ? kNoNode : component(scalar.value, scalar.index));
  return result;
}

// As many components, or the same bits cut in other pieces; 1 is another number then, or -1.
Components ComponentNodes::same(InstRef inst, Id source) const {
  const std::uint32_t count = std::min(spirv::scalars_of_type(module_, module_[inst].type), kMaxComponents);
  const std::uint64_t source_count = spirv::scalars_of_type(module_, module_.type_of(source));
  const bool is_changed = module_[inst].op == Op::OpFNegate || module_[inst].op == Op::OpBitcast;
  Components result;
  for (std::uint32_t i = 0; i < count; ++i) {
    const NodeId node = component(source, static_cast<std::uint32_t>(i * source_count / count));
    result.push_back(node == kOne && is_changed ? kNoNode : node);
  }
  return result;
}

bool ComponentNodes::add_rename(InstRef inst) {
  std::vector<spirv::Scalar> scalars;
  if (spirv::arranges_scalars(module_, inst, scalars, kMaxComponents)) {
    define(module_[inst].result, arranged(scalars));
    return true;
  }
  switch (module_[inst].op) {
    case Op::OpExtInst:
      if (!spirv::is_glsl_inst(module_, inst)) return true;
      if (module_.operand(inst, 1).word != GLSLstd450FAbs) return false;
      define(module_[inst].result, same(inst, module_.operand(inst, 2).word));
      return true;
    case Op::OpCopyLogical:
    case Op::OpBitcast:
    case Op::OpFNegate: define(module_[inst].result, same(inst, module_.operand(inst, 0).word)); return true;
    default: return false;
  }
}

}  // namespace varylink::analysis
