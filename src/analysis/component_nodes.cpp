#include "analysis/component_nodes.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>

#include "analysis/component_place.h"
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
    const auto size = [&](std::size_t part) { return leaf_count(module, module.type_of(parts[part].word)); };
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

Components ComponentNodes::constructed(InstRef inst) const {
  Components result;
  for (const spirv::Operand& operand : module_.operands(inst)) {
    const std::uint32_t count = leaf_count(module_, module_.type_of(operand.word));
    for (std::uint32_t i = 0; i < count && result.size() < kMaxComponents; ++i)
      result.push_back(component(operand.word, i));
  }
  return result;
}

Components ComponentNodes::shuffled(InstRef inst) const {
  const auto operands = module_.operands(inst);
  const std::uint32_t first_size = leaf_count(module_, module_.type_of(operands[0].word));
  Components result;
  for (std::size_t i = 2; i < operands.size(); ++i) {
    const std::uint32_t index = operands[i].word;
    result.push_back(index == 0xffffffffu ? kNoNode
                     : index < first_size ? component(operands[0].word, index)
                                          : component(operands[1].word, index - first_size));
  }
  return result;
}

Components ComponentNodes::inserted(InstRef inst) const {
  const auto operands = module_.operands(inst);
  const std::uint32_t count = std::min(leaf_count(module_, module_[inst].type), kMaxComponents);
  Components result;
  for (std::uint32_t i = 0; i < count; ++i) result.push_back(component(operands[1].word, i));
  std::vector<std::uint32_t> indices;
  for (std::size_t i = 2; i < operands.size(); ++i) indices.push_back(operands[i].word);
  const auto range = component_range(module_, module_[inst].type, indices);
  for (std::uint32_t i = 0; range && i < range->count && range->first + i < count; ++i)
    result[range->first + i] = component(operands[0].word, i);
  return result;
}

Components ComponentNodes::transposed(InstRef inst) const {
  const Id matrix = module_.operand(inst, 0).word;
  const InstRef type = module_.def(module_[inst].type);
  const std::uint32_t columns = module_.operand(type, 1).word;
  const std::uint32_t rows = leaf_count(module_, module_.operand(type, 0).word);
  Components result;
  for (std::uint32_t column = 0; column < columns; ++column)
    for (std::uint32_t row = 0; row < rows; ++row) result.push_back(component(matrix, row * columns + column));
  return result;
}

Components ComponentNodes::extracted(InstRef inst) const {
  const Id source = module_.operand(inst, 0).word;
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 1; i < module_[inst].operand_count; ++i) indices.push_back(module_.operand(inst, i).word);
  const auto range = component_range(module_, module_.type_of(source), indices);
  Components result;
  for (std::uint32_t i = 0; range && i < std::min(range->count, kMaxComponents); ++i)
    result.push_back(component(source, range->first + i));
  return result;
}

// As many components, or the same bits cut in other pieces; 1 is another number then, or -1.
Components ComponentNodes::same(InstRef inst, Id source) const {
  const std::uint32_t count = std::min(leaf_count(module_, module_[inst].type), kMaxComponents);
  const std::uint64_t source_count = leaf_count(module_, module_.type_of(source));
  const bool is_changed = module_[inst].op == Op::OpFNegate || module_[inst].op == Op::OpBitcast;
  Components result;
  for (std::uint32_t i = 0; i < count; ++i) {
    const NodeId node = component(source, static_cast<std::uint32_t>(i * source_count / count));
    result.push_back(node == kOne && is_changed ? kNoNode : node);
  }
  return result;
}

Components ComponentNodes::renamed(InstRef inst) const {
  switch (module_[inst].op) {
    case Op::OpCompositeConstruct: return constructed(inst);
    case Op::OpCompositeExtract: return extracted(inst);
    case Op::OpCompositeInsert: return inserted(inst);
    case Op::OpVectorShuffle: return shuffled(inst);
    case Op::OpTranspose: return transposed(inst);
    default: return same(inst, module_.operand(inst, 0).word);
  }
}

bool ComponentNodes::add_rename(InstRef inst) {
  switch (module_[inst].op) {
    case Op::OpExtInst:
      if (!spirv::is_glsl_inst(module_, inst)) return true;
      if (module_.operand(inst, 1).word != GLSLstd450FAbs) return false;
      define(module_[inst].result, same(inst, module_.operand(inst, 2).word));
      return true;
    case Op::OpCompositeConstruct:
    case Op::OpCompositeExtract:
    case Op::OpCompositeInsert:
    case Op::OpVectorShuffle:
    case Op::OpTranspose:
    case Op::OpCopyObject:
    case Op::OpCopyLogical:
    case Op::OpBitcast:
    case Op::OpFNegate: define(module_[inst].result, renamed(inst)); return true;
    default: return false;
  }
}

}  // namespace varylink::analysis
