#include "verify/block_array_qualifiers.h"

#include <algorithm>

#include "spirv/ir/globals.h"

namespace varylink::verify {
namespace {

using spv::Decoration;
using spv::Op;
using varyings::InterfaceVariable;
using varyings::Leaf;

bool is_array_of_structs(const spirv::Module& module, const InterfaceVariable& variable) {
  return module.def_op(variable.element_type) == Op::OpTypeArray &&
         module.def_op(spirv::type_without_arrays(module, variable.element_type)) == Op::OpTypeStruct;
}

bool has_common_qualifiers(const InterfaceVariable& variable) {
  return std::all_of(variable.leaves.begin(), variable.leaves.end(), [&](const Leaf& leaf) {
    return leaf.interpolation == variable.leaves.front().interpolation &&
           leaf.per_primitive == variable.leaves.front().per_primitive;
  });
}

// Of a leaf, as decorations of SPIR-V.
std::vector<Decoration> qualifiers_of(const Leaf& leaf) {
  std::vector<Decoration> result;
  if (leaf.interpolation.flat) result.push_back(Decoration::Flat);
  if (leaf.interpolation.no_perspective) result.push_back(Decoration::NoPerspective);
  if (leaf.interpolation.centroid) result.push_back(Decoration::Centroid);
  if (leaf.interpolation.sample) result.push_back(Decoration::Sample);
  if (leaf.per_primitive) result.push_back(Decoration::PerPrimitiveEXT);
  return result;
}

}  // namespace

bool has_mixed_block_arrays(const Shader& shader) {
  return shader.stage == Stage::fragment &&
         std::any_of(shader.inputs.begin(), shader.inputs.end(), [&](const InterfaceVariable& input) {
           return is_array_of_structs(shader.module, input) && !has_common_qualifiers(input);
         });
}

void repeat_qualifiers_of_block_arrays(spirv::Module& module, const Shader& shader) {
  for (const auto* variables : {&shader.inputs, &shader.outputs})
    for (const InterfaceVariable& variable : *variables) {
      if (!is_array_of_structs(module, variable) || variable.leaves.empty() || !has_common_qualifiers(variable))
        continue;
      const varyings::Decorations known = varyings::decorations_of(module, variable.id);
      for (const Decoration qualifier : qualifiers_of(variable.leaves.front()))
        if (!known.has(qualifier)) spirv::decorate(module, variable.id, qualifier);
    }
}

}  // namespace varylink::verify
