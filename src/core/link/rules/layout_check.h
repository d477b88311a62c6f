// Whether the given pipeline layout fits the resources that the shaders use.
#pragma once

#include "base/diagnostic.h"
#include "link/model/pipeline_layout.h"
#include "link/rules/interface_model.h"

namespace varylink::link {

// Bindings and push constants that the stage uses and that the layout gives to other stages only: errors of kind
// interface_mismatch (VUID-VkGraphicsPipelineCreateInfo-layout-07988 and 07987). The layout may give what it does not
// name to any stage.
Diagnostics layout_contradictions(const StageView& stage, const PipelineLayout& layout);

}  // namespace varylink::link
