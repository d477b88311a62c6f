// Decoration groups (SPIR-V 3.32.3, deprecated) written out as plain decorations.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Replaces every OpGroupDecorate and OpGroupMemberDecorate by the decorations of its group and removes the groups: who
// asks for the decorations of an id meets no groups.
void expand_decoration_groups(Module& module);

}  // namespace varylink::spirv
