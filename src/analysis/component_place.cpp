#include "analysis/component_place.h"

#include <algorithm>

#include "spirv/ir/globals.h"
#include "spirv/ir/scalar_view.h"

namespace varylink::analysis {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

// Chains of access chains are short in valid modules.
constexpr int kMaxChain = 64;

void add_indices(const Module& module, InstRef chain, Id type, PointerPlace& place) {
  for (std::uint32_t i = 1; i < module[chain].operand_count; ++i) {
    const Id id = module.operand(chain, i).word;
    const std::optional<std::uint32_t> index = spirv::constant_index(module, id);
    if (!index) place.dynamic_indices.push_back(id);
    if (index && place.block == 0 && module.def_op(type) == Op::OpTypeStruct) {
      place.block = type;
      place.member = *index;
    }
    const auto next = spirv::element_at(module, type, index.value_or(0));
    if (!next) return;
    type = next->type;
    place.first_component += next->scalars_before;
  }
}

}  // namespace

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
