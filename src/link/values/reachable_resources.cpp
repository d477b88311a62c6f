#include "link/values/reachable_resources.h"

#include <algorithm>
#include <map>

#include "base/seeded_fault.h"
#include "spirv/ir/globals.h"
#include "varyings/lift/varying_variable.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::link {
namespace {

using graph::ResourceKey;
using graph::SpecConstantKey;
using graph::Value;
using graph::ValueKind;
using spirv::Id;
using spirv::InstRef;
using spv::Decoration;

void decorate_member(spirv::Module& module, Id type, std::uint32_t member, std::uint32_t offset) {
  module.annotations.push_back(
      module.create(spv::Op::OpMemberDecorate, 0, 0,
                    {spirv::id(type), spirv::lit(member), spirv::lit(static_cast<std::uint32_t>(Decoration::Offset)),
                     spirv::lit(offset)}));
}

// Members by offset. What overlaps stands in two blocks.
using Members = std::map<std::uint32_t, varyings::ScalarType>;

// Whether a member of this type may stand at the offset, or does already: members do not overlap.
bool has_room(const Members& members, std::uint32_t offset, varyings::ScalarType type) {
  return std::none_of(members.begin(), members.end(), [&](const auto& member) {
    const auto& [start, other] = member;
    if (start == offset && other == type) return false;
    return start < offset + type.width / 8u && offset < start + other.width / 8u;
  });
}

Id declare_block(LinkedStage& stage, spirv::Globals& globals, const ResourceKey& key, const Members& members) {
  spirv::Module& module = stage.module;
  std::vector<spirv::Operand> types;
  for (const auto& [offset, type] : members) types.push_back(spirv::id(varyings::type_id(globals, type)));
  const Id block = module.new_id();
  module.types.push_back(module.create(spv::Op::OpTypeStruct, 0, block, std::span<const spirv::Operand>(types)));
  std::uint32_t index = 0;
  for (const auto& [offset, type] : members) decorate_member(module, block, index++, offset);
  spirv::decorate(module, block, Decoration::Block);
  const Id variable = globals.variable(key.storage, block);
  if (key.storage == spv::StorageClass::Uniform) {
    spirv::decorate(module, variable, Decoration::DescriptorSet, key.set);
    spirv::decorate(module, variable, Decoration::Binding, key.binding);
  }
  if (module.version >= 0x10400) spirv::add_to_interface(module, stage.entry.inst, variable);
  stage.kept_globals.push_back(variable);
  return variable;
}

bool is_uniform_buffer(const spirv::Module& module, InstRef variable, const varyings::DecorationIndex& decorations) {
  const auto storage = static_cast<spv::StorageClass>(module.operand(variable, 0).word);
  const Id block = spirv::pointee_type(module, module[variable].type);
  return storage == spv::StorageClass::Uniform && module.def_op(block) == spv::Op::OpTypeStruct &&
         decorations.of(block).has(Decoration::Block);
}

}  // namespace

ReachableResources::ReachableResources(const LinkedStage& stage, const PipelineLayout* layout)
    : stage_(stage.stage),
      shared_spec_constants_(stage.state.shared_spec_constants || seeded_fault("spec-constants-shared-unasked")),
      layout_(layout),
      resources_(stage.module, stage.used_as_it_came),
      spec_constants_(stage.module) {
  for (const InstRef inst : stage.module.capabilities)
    capabilities_.insert(static_cast<spv::Capability>(stage.module.operand(inst, 0).word));
  const varyings::DecorationIndex decorations(stage.module);
  for (const InstRef inst : stage.module.types) {
    if (stage.module[inst].op != spv::Op::OpVariable) continue;
    const varyings::Decorations& list = decorations.of(stage.module[inst].result);
    const auto binding = list.value(Decoration::Binding);
    if (binding && !is_uniform_buffer(stage.module, inst, decorations))
      other_bindings_.insert({list.value(Decoration::DescriptorSet).value_or(0), *binding});
    if (static_cast<spv::StorageClass>(stage.module.operand(inst, 0).word) == spv::StorageClass::PushConstant)
      has_push_constants_ = true;
  }
}

bool ReachableResources::has(const Value& value) const {
  if (value.kind == ValueKind::specialization)
    return spec_constants_.find(SpecConstantKey::from(value.type, value.words)) != 0;
  return resources_.find(ResourceKey::from(value.words), value.type).has_value();
}

bool ReachableResources::can_declare(const ResourceKey& key, std::uint64_t bytes) const {
  if (key.is_indexed()) return false;  // a block with just the members needed has no array
  if (key.storage == spv::StorageClass::PushConstant)
    return layout_ && !has_push_constants_ && layout_->shares_push_constant(stage_, stage_, key.offset, bytes);
  if (key.arrayed) return false;
  if (resources_.uses_buffer_of(key)) return true;
  return layout_ && layout_->reaches(stage_, key.set, key.binding) &&
         other_bindings_.count({key.set, key.binding}) == 0;
}

bool ReachableResources::can_read(const Value& resource) const {
  return has(resource) || can_declare(ResourceKey::from(resource.words), resource.type.width / 8);
}

bool ReachableResources::could_read(const Value& resource) const {
  const ResourceKey key = ResourceKey::from(resource.words);
  if (has(resource) || key.is_indexed()) return has(resource);
  if (key.storage == spv::StorageClass::PushConstant) return !has_push_constants_;
  return !key.arrayed && other_bindings_.count({key.set, key.binding}) == 0;
}

// Constants with one SpecId and different defaults differ where the application gives no value.
bool ReachableResources::shares(const SpecConstantKey& key) const {
  if (!shared_spec_constants_) return false;
  return spec_constants_.find(key) != 0 || !spec_constants_.has(key.spec_id) ||
         seeded_fault("spec-constants-ignore-defaults");
}

bool ReachableResources::can_compute_with(varyings::ScalarType type) const {
  if (type.kind == varyings::ScalarKind::boolean || type.width == 32) return true;
  const bool is_float = type.kind == varyings::ScalarKind::floating;
  switch (type.width) {
    case 8: return capabilities_.count(spv::Capability::Int8) != 0;
    case 16: return capabilities_.count(is_float ? spv::Capability::Float16 : spv::Capability::Int16) != 0;
    case 64: return capabilities_.count(is_float ? spv::Capability::Float64 : spv::Capability::Int64) != 0;
    default: return false;
  }
}

bool ReachableResources::can_evaluate(const Value& value) const {
  if (!can_compute_with(value.type)) return false;
  switch (value.kind) {
    case ValueKind::resource: return can_read(value);
    case ValueKind::specialization: return shares(SpecConstantKey::from(value.type, value.words));
    case ValueKind::constant:
    case ValueKind::operation: return true;
    default: return false;
  }
}

bool is_same_resource(const Value& resource, Stage a, Stage b, const PipelineLayout* layout) {
  const ResourceKey key = ResourceKey::from(resource.words);
  if (key.storage == spv::StorageClass::Uniform) return true;
  // An index may choose any of the elements.
  return layout &&
         layout->shares_push_constant(a, b, key.offset, key.last_offset() - key.offset + resource.type.width / 8ull);
}

graph::Resources with_declared(LinkedStage& stage, const std::vector<const Value*>& resources) {
  std::vector<Id> declared = stage.used_as_it_came;
  const graph::Resources present(stage.module, declared);
  std::map<std::vector<std::uint32_t>, std::vector<Members>> missing;  // by key with offset 0
  for (const Value* resource : resources) {
    ResourceKey key = ResourceKey::from(resource->words);
    if (present.find(key, resource->type)) continue;
    const std::uint32_t offset = std::exchange(key.offset, 0);
    std::vector<Members>& blocks = missing[key.words()];
    auto block = std::find_if(blocks.begin(), blocks.end(),
                              [&](const Members& members) { return has_room(members, offset, resource->type); });
    if (block == blocks.end()) block = blocks.insert(blocks.end(), Members{});
    block->emplace(offset, resource->type);
  }
  spirv::Globals globals(stage.module);
  for (const auto& [words, blocks] : missing)
    for (const Members& members : blocks)
      declared.push_back(declare_block(stage, globals, ResourceKey::from(words), members));
  return graph::Resources(stage.module, declared);
}

}  // namespace varylink::link
