#include "analysis/component_place.h"

#include <algorithm>

#include "analysis/operation_cost.h"
#include "spirv/ir/globals.h"
#include "spirv/ir/operations.h"

namespace varylink::analysis {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

// Chains of access chains are short in valid modules.
constexpr int kMaxChain = 64;

// Type of the element that `index` selects, and the components in front of it. None if there is no such element.
std::optional<std::pair<Id, std::uint32_t>> element(const Module& module, Id type, std::uint32_t index) {
  const InstRef def = module.def(type);
  if (!def) return std::nullopt;
  switch (spirv::type_kind(module, type)) {
    case spirv::TypeKind::vector:
    case spirv::TypeKind::matrix:
    case spirv::TypeKind::array:
    case spirv::TypeKind::runtime_array: {
      const Id inner = module.operand(def, 0).word;
      return std::pair{inner, index * leaf_count(module, inner)};
    }
    case spirv::TypeKind::structure: {
      if (index >= module[def].operand_count) return std::nullopt;
      std::uint32_t before = 0;
      for (std::uint32_t i = 0; i < index; ++i) before += leaf_count(module, module.operand(def, i).word);
      return std::pair{module.operand(def, index).word, before};
    }
    default: return std::nullopt;
  }
}

void add_indices(const Module& module, InstRef chain, Id type, PointerPlace& place) {
  for (std::uint32_t i = 1; i < module[chain].operand_count; ++i) {
    const Id id = module.operand(chain, i).word;
    const std::optional<std::uint32_t> index = spirv::constant_index(module, id);
    if (!index) place.dynamic_indices.push_back(id);
    if (index && place.block == 0 && module.def_op(type) == Op::OpTypeStruct) {
      place.block = type;
      place.member = *index;
    }
    const auto next = element(module, type, index.value_or(0));
    if (!next) return;
    type = next->first;
    place.first_component += next->second;
  }
}

}  // namespace

std::optional<ComponentRange> component_range(const Module& module, Id type, std::span<const std::uint32_t> indices) {
  ComponentRange range;
  for (const std::uint32_t index : indices) {
    const auto next = element(module, type, index);
    if (!next) return std::nullopt;
    type = next->first;
    range.first += next->second;
  }
  range.count = leaf_count(module, type);
  return range;
}

PointerPlace pointer_place(const Module& module, Id pointer) {
  std::vector<InstRef> chains;
  for (int depth = 0; depth < kMaxChain; ++depth) {
    const InstRef def = module.def(pointer);
    if (!def) break;
    const Op op = module[def].op;
    if (op != Op::OpAccessChain && op != Op::OpInBoundsAccessChain) break;
    chains.push_back(def);
    pointer = module.operand(def, 0).word;
  }
  PointerPlace place;
  const InstRef type = module.def(module.type_of(pointer));
  if (!type || module[type].op != Op::OpTypePointer) return place;
  place.storage = static_cast<spv::StorageClass>(module.operand(type, 0).word);
  if (module.def_op(pointer) == Op::OpVariable) place.variable = pointer;
  for (auto chain = chains.rbegin(); chain != chains.rend(); ++chain) {
    const Id base = module.operand(*chain, 0).word;
    const InstRef base_type = module.def(module.type_of(base));
    if (base_type) add_indices(module, *chain, module.operand(base_type, 1).word, place);
  }
  return place;
}

}  // namespace varylink::analysis
