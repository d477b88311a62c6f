#include "link/rules/layout_check.h"

#include <algorithm>

#include "link/rules/contract_facts.h"
#include "varyings/reflect/decoration_index.h"

namespace varylink::link {

Diagnostics layout_contradictions(const StageView& stage, const PipelineLayout& layout) {
  Diagnostics found;
  const varyings::DecorationIndex& decorations = stage.decorations();
  for (const spirv::Id id : used_globals(stage)) {
    const varyings::DecorationList list = decorations.of(id);
    const auto binding = list.value(spv::Decoration::Binding);
    const std::uint32_t set = list.value(spv::Decoration::DescriptorSet).value_or(0);
    const bool is_named = binding && std::any_of(layout.bindings.begin(), layout.bindings.end(), [&](const auto& each) {
                            return each.set == set && each.binding == *binding;
                          });
    if (!is_named || layout.reaches(stage.entry.stage, set, *binding)) continue;
    found.push_back(make_error(ErrorKind::interface_mismatch, stage.file,
                               "the shader uses set " + std::to_string(set) + ", binding " + std::to_string(*binding) +
                                   ", which the layout gives to other stages only",
                               "VUID-VkGraphicsPipelineCreateInfo-layout-07988"));
  }
  return found;
}

}  // namespace varylink::link
