#include "link/rules/layout_check.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "link/rules/contract_facts.h"
#include "spirv/ir/block_layout.h"
#include "spirv/ir/globals.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::link {
namespace {

// The first byte of a block; none if no member says where it is.
std::optional<std::uint32_t> first_byte(const spirv::Module& module, const spirv::BlockLayout& blocks,
                                        spirv::Id block) {
  std::optional<std::uint32_t> first;
  for (std::uint32_t member = 0; member < spirv::element_count(module, block); ++member)
    if (const auto place = blocks.step({block}, member)) first = std::min(first.value_or(place->offset), place->offset);
  return first;
}

// Some range has the byte, and none of those is for the stage.
bool is_for_others_only(const PipelineLayout& layout, std::uint32_t byte, Stage stage) {
  bool is_given = false;
  for (const PipelineLayout::PushConstantRange& range : layout.push_constants) {
    if (byte < range.offset || byte - range.offset >= range.size) continue;
    is_given = true;
    if (std::find(range.stages.begin(), range.stages.end(), stage) != range.stages.end()) return false;
  }
  return is_given;
}

std::optional<Diagnostic> push_constant_contradiction(const StageView& stage, spirv::Id variable,
                                                      const PipelineLayout& layout) {
  const spirv::Module& module = *stage.module;
  const spirv::Id block = spirv::pointee_type(module, module.type_of(variable));
  const auto byte = first_byte(module, spirv::BlockLayout(module), block);
  if (!byte || !is_for_others_only(layout, *byte, stage.entry.stage)) return std::nullopt;
  return make_error(ErrorKind::interface_mismatch, stage.file,
                    "the shader uses push constants from byte " + std::to_string(*byte) +
                        ", which the layout gives to other stages only",
                    "VUID-VkGraphicsPipelineCreateInfo-layout-07987");
}

std::optional<Diagnostic> binding_contradiction(const StageView& stage, spirv::Id variable,
                                                const PipelineLayout& layout) {
  const varyings::DecorationList list = stage.decorations().of(variable);
  const auto binding = list.value(spv::Decoration::Binding);
  const std::uint32_t set = list.value(spv::Decoration::DescriptorSet).value_or(0);
  const bool is_named = binding && std::any_of(layout.bindings.begin(), layout.bindings.end(), [&](const auto& each) {
                          return each.set == set && each.binding == *binding;
                        });
  if (!is_named || layout.reaches(stage.entry.stage, set, *binding)) return std::nullopt;
  return make_error(ErrorKind::interface_mismatch, stage.file,
                    "the shader uses set " + std::to_string(set) + ", binding " + std::to_string(*binding) +
                        ", which the layout gives to other stages only",
                    "VUID-VkGraphicsPipelineCreateInfo-layout-07988");
}

}  // namespace

Diagnostics layout_contradictions(const StageView& stage, const PipelineLayout& layout) {
  Diagnostics found;
  for (const spirv::Id id : used_globals(stage)) {
    const bool is_pushed = spirv::is_variable_in(*stage.module, id, spv::StorageClass::PushConstant);
    if (auto problem =
            is_pushed ? push_constant_contradiction(stage, id, layout) : binding_contradiction(stage, id, layout))
      found.push_back(std::move(*problem));
  }
  return found;
}

}  // namespace varylink::link
