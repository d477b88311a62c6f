// The rules of interface matching (Vulkan, "Shader Interfaces"), applied to reflection: outputs of one stage against
// inputs of the next one, and the declarations of one stage by itself.
#pragma once

#include "link/rules/finding.h"
#include "link/rules/interface_model.h"

namespace varylink::link {

// Whether the stage has other outputs than it declares: an NV geometry shader hands decorated inputs on as they come
// (PassthroughNV). Nothing is known then about the inputs of the next stage, and none of these rules apply.
bool passes_through(const StageView& stage);

// Every way in which the consumer's user-defined inputs do not match the producer's outputs. Exact: a mismatch that
// some option or extension allows (a shorter vector with maintenance4) is a finding too, with its own rule. In the
// order of the consumer's variables.
Findings match_interfaces(const InterfaceModel& outputs, const InterfaceModel& inputs);

// Rules that hold for one side alone: overlaps, and for fragment inputs the interpolation rules.
Findings check_declarations(const InterfaceModel& model);

// The built-in blocks of two stages in front of the rasterizer have the same members in the same order, if both have
// one (rule ). At most one finding.
Findings match_built_in_blocks(const StageView& producer, const StageView& consumer);

}  // namespace varylink::link
