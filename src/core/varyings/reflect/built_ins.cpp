#include "varyings/reflect/built_ins.h"

#include "spirv/ir/globals.h"
#include "spirv/ir/pointer_path.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::varyings {
namespace {

using spirv::Id;
using spirv::Module;

constexpr int kMaxPointerDepth = 64;

Id block_in_arrays(const Module& module, Id type) {
  for (int depth = 0; module.def_op(type) == spv::Op::OpTypeArray && depth < kMaxPointerDepth; ++depth)
    type = spirv::element_type(module, type);
  return type;
}

// Which side of which stage has one element per vertex; TessLevel* are per patch.
bool per_vertex(const Entry& entry, Direction direction, spv::BuiltIn kind) {
  if (kind == spv::BuiltIn::TessLevelInner || kind == spv::BuiltIn::TessLevelOuter) return false;
  const bool input = direction == Direction::input;
  switch (entry.stage) {
    case Stage::tess_control: return true;
    case Stage::tess_eval:
    case Stage::geometry: return input;
    case Stage::mesh: return !input;
    default: return false;
  }
}

}  // namespace

std::vector<BuiltIn> built_ins(const Module& module, const Entry& entry, Direction direction) {
  return built_ins(module, entry, direction, DecorationIndex(module));
}

std::vector<BuiltIn> built_ins(const Module& module, const Entry& entry, Direction direction,
                               const DecorationIndex& decorations) {
  const auto storage = storage_class_of(direction);
  std::vector<BuiltIn> found;
  for (const Id id : entry.interface) {
    if (module.def_op(id) != spv::Op::OpVariable ||
        module.operand(module.def(id), 0).word != static_cast<std::uint32_t>(storage))
      continue;
    const Id type = spirv::pointee_type(module, module.type_of(id));
    if (const auto number = decorations.of(id).value(spv::Decoration::BuiltIn)) {
      const auto kind = static_cast<spv::BuiltIn>(*number);
      const bool arrayed = per_vertex(entry, direction, kind) && module.def_op(type) == spv::Op::OpTypeArray;
      found.push_back({id, std::nullopt, kind, arrayed ? spirv::element_type(module, type) : type, module.name(id)});
    }
    const Id block = block_in_arrays(module, type);
    if (module.def_op(block) != spv::Op::OpTypeStruct) continue;
    for (std::uint32_t member = 0; member < module.operands(module.def(block)).size(); ++member)
      if (const auto number = decorations.of_member(block, member).value(spv::Decoration::BuiltIn))
        found.push_back({id, member, static_cast<spv::BuiltIn>(*number), spirv::element_type(module, block, member),
                         module.member_name(block, member)});
  }
  return found;
}

std::optional<PointerRoot> pointer_root(const Module& module, Id pointer) {
  std::vector<Id> indices;
  for (int depth = 0; module.def_op(pointer) != spv::Op::OpVariable; ++depth) {
    if (depth == kMaxPointerDepth || !spirv::is_pointer_path(module.def_op(pointer))) return std::nullopt;
    const auto operands = module.operands(module.def(pointer));
    if (operands.empty()) return std::nullopt;
    std::vector<Id> step;
    for (std::size_t i = 1; i < operands.size(); ++i) step.push_back(operands[i].word);
    indices.insert(indices.begin(), step.begin(), step.end());
    pointer = operands[0].word;
  }
  PointerRoot root{pointer, std::nullopt};
  Id type = spirv::pointee_type(module, module.type_of(pointer));
  for (const Id index : indices) {
    if (module.def_op(type) == spv::Op::OpTypeArray) {
      type = spirv::element_type(module, type);
      continue;
    }
    if (module.def_op(type) == spv::Op::OpTypeStruct)
      if (const auto member = constant_int(module, index)) root.member = static_cast<std::uint32_t>(*member);
    break;
  }
  return root;
}

}  // namespace varylink::varyings
