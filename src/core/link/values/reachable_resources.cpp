#include "link/values/reachable_resources.h"

#include <algorithm>
#include <map>

#include "base/seeded_fault.h"
#include "link/values/wider_block.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/uses.h"
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

Id declare_variable(LinkedStage& stage, spirv::Globals& globals, const ResourceKey& key, const BlockMembers& members) {
  spirv::Module& module = stage.module;
  const Id variable = globals.variable(key.storage, declare_block_type(module, globals, members));
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

std::vector<Id> uniform_buffers(const spirv::Module& module, const varyings::DecorationIndex& decorations) {
  std::vector<Id> found;
  for (const InstRef inst : module.types)
    if (module[inst].op == spv::Op::OpVariable && is_uniform_buffer(module, inst, decorations))
      found.push_back(module[inst].result);
  return found;
}

// Variables at a binding, whatever they are, used or not.
std::vector<Id> variables_at(const spirv::Module& module, const varyings::DecorationIndex& decorations,
                             const ResourceKey& key) {
  std::vector<Id> found;
  if (key.storage != spv::StorageClass::Uniform) return found;
  for (const InstRef inst : module.types) {
    if (module[inst].op != spv::Op::OpVariable) continue;
    const varyings::DecorationList list = decorations.of(module[inst].result);
    if (list.value(Decoration::Binding) == key.binding && list.value(Decoration::DescriptorSet).value_or(0) == key.set)
      found.push_back(module[inst].result);
  }
  return found;
}

// The uniform buffer that the stage has at the place of the key; 0 if it has none, or something else, or several.
Id only_buffer_at(const spirv::Module& module, const varyings::DecorationIndex& decorations, const ResourceKey& key) {
  const std::vector<Id> found = variables_at(module, decorations, key);
  const bool is_buffer = found.size() == 1 && is_uniform_buffer(module, module.def(found.front()), decorations);
  return is_buffer ? found.front() : 0;
}

ResourceKey place_of(ResourceKey key) {
  key.offset = 0;
  return key;
}

}  // namespace

// Declarations that are asked for, by the words of their place. Filled by the questions: room that is taken first stays
// taken, so that every resource that was said to have room has it.
struct ReachableResources::Room {
  explicit Room(const spirv::Module& code)
      : module(code), decorations(code), uses(code), all(code, uniform_buffers(code, decorations)) {}

  bool take(const ResourceKey& key, varyings::ScalarType type) {
    const auto [entry, is_new] = blocks.try_emplace(place_of(key).words());
    if (is_new) entry->second = room_at(key);
    return entry->second && entry->second->take(key.offset, type);
  }

  std::optional<BlockRoom> room_at(const ResourceKey& key) const {
    if (variables_at(module, decorations, key).empty()) return BlockRoom();
    const Id buffer = only_buffer_at(module, decorations, key);
    return buffer != 0 ? std::optional(BlockRoom(module, uses, buffer)) : std::nullopt;
  }

  const spirv::Module& module;
  const varyings::DecorationIndex decorations;
  const spirv::Uses uses;
  const graph::Resources all;  // used or not
  std::map<std::vector<std::uint32_t>, std::optional<BlockRoom>> blocks;
};

ReachableResources::ReachableResources(const LinkedStage& stage, const PipelineLayout* layout)
    : module_(stage.module),
      stage_(stage.stage),
      shared_spec_constants_(stage.state.shared_spec_constants || seeded_fault("spec-constants-shared-unasked")),
      layout_(layout),
      resources_(stage.module, stage.used_as_it_came),
      spec_constants_(stage.module) {
  for (const InstRef inst : stage.module.capabilities)
    capabilities_.insert(static_cast<spv::Capability>(stage.module.operand(inst, 0).word));
  const varyings::DecorationIndex decorations(stage.module);
  for (const InstRef inst : stage.module.types) {
    if (stage.module[inst].op != spv::Op::OpVariable) continue;
    const varyings::DecorationList list = decorations.of(stage.module[inst].result);
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

bool ReachableResources::is_in_layout(const ResourceKey& key, std::uint64_t bytes) const {
  if (key.storage == spv::StorageClass::PushConstant)
    return layout_ && !has_push_constants_ && layout_->shares_push_constant(stage_, stage_, key.offset, bytes);
  return resources_.uses_buffer_of(key) || (layout_ && layout_->reaches(stage_, key.set, key.binding) &&
                                            other_bindings_.count({key.set, key.binding}) == 0);
}

bool ReachableResources::can_declare(const ResourceKey& key, varyings::ScalarType type) const {
  return is_in_layout(key, type.width / 8) && has_room(key, type);
}

// Rule. A block with just the members needed has no array.
bool ReachableResources::has_room(const ResourceKey& key, varyings::ScalarType type) const {
  if (key.is_indexed() || key.arrayed) return false;
  if (!room_) room_ = std::make_shared<Room>(module_);
  const bool is_declared = only_buffer_at(module_, room_->decorations, key) != 0 && room_->all.find(key, type);
  return is_declared || room_->take(key, type);
}

bool ReachableResources::can_read(const Value& resource) const {
  return has(resource) || can_declare(ResourceKey::from(resource.words), resource.type);
}

bool ReachableResources::could_read(const Value& resource) const {
  const ResourceKey key = ResourceKey::from(resource.words);
  if (has(resource) || key.is_indexed()) return has(resource);
  if (key.storage == spv::StorageClass::PushConstant) return !has_push_constants_;
  return has_room(key, resource.type);
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
  const varyings::DecorationIndex decorations(stage.module);
  std::vector<Id> declared = stage.used_as_it_came;
  for (const Value* resource : resources)
    if (const Id buffer = only_buffer_at(stage.module, decorations, ResourceKey::from(resource->words)); buffer != 0)
      declared.push_back(buffer);
  const graph::Resources present(stage.module, declared);
  std::map<std::vector<std::uint32_t>, BlockMembers> missing;  // by the words of their place
  for (const Value* resource : resources) {
    const ResourceKey key = ResourceKey::from(resource->words);
    if (!present.find(key, resource->type)) missing[place_of(key).words()].emplace(key.offset, resource->type);
  }
  spirv::Globals globals(stage.module);
  for (const auto& [words, members] : missing) {
    const ResourceKey key = ResourceKey::from(words);
    const Id buffer = only_buffer_at(stage.module, decorations, key);
    if (buffer != 0 && !seeded_fault("declares-a-second-block"))
      widen_block(stage.module, globals, buffer, members);
    else
      declared.push_back(declare_variable(stage, globals, key, members));
  }
  return graph::Resources(stage.module, declared);
}

}  // namespace varylink::link
