// Decoration groups (SPIR-V 3.32.3, deprecated) written out as plain decorations.
#pragma once

#include "spirv/ir/module.h"

namespace varylink::spirv {

// Replaces every OpGroupDecorate and OpGroupMemberDecorate by the decorations of its group and removes the groups. The
// dead code elimination of SPIRV-Tools 2023.1 neither keeps the groups' targets apart nor survives all of them, so this
// must happen before it runs.
void expand_decoration_groups(Module& module);

}  // namespace varylink::spirv
