#include "analysis/component_place.h"

#include "spirv/ir/globals.h"
#include "spirv/ir/pointer_path.h"
#include "spirv/ir/scalar_view.h"

namespace varylink::analysis {
namespace {

using spirv::Id;
using spirv::InstRef;
using spirv::Module;
using spv::Op;

void add_member(Id structure, std::uint32_t member, PointerPlace& place) {
  if (place.block != 0) return;
  place.block = structure;
  place.member = member;
}

}  // namespace

PointerPlace pointer_place(const Module& module, Id pointer) {
  const spirv::AccessPath path = spirv::access_path(module, pointer);
  PointerPlace place;
  const InstRef pointer_type = module.def(module.type_of(path.root));
  if (!pointer_type || module[pointer_type].op != Op::OpTypePointer) return place;
  place.storage = static_cast<spv::StorageClass>(module.operand(pointer_type, 0).word);
  if (module.def_op(path.root) == Op::OpVariable) place.variable = path.root;
  Id type = module.operand(pointer_type, 1).word;
  for (const Id id : path.indices) {
    const std::optional<std::uint32_t> index = spirv::constant_index(module, id);
    if (!index) place.dynamic_indices.push_back(id);
    if (index && module.def_op(type) == Op::OpTypeStruct) add_member(type, *index, place);
    const auto next = spirv::element_at(module, type, index.value_or(0));
    if (!next) break;
    type = next->type;
    place.first_component += next->scalars_before;
  }
  return place;
}

}  // namespace varylink::analysis
