// The decorations that say how a fragment input is interpolated, all of them (Vulkan, "Interpolation Decorations").
#pragma once

#include <vector>

#include "spirv/ir/module.h"
#include "varyings/reflect/slot.h"

namespace varylink::varyings {

// The flag of `interpolation` that the decoration sets, nullptr if it is about something else.
bool* interpolation_flag(Interpolation& interpolation, spv::Decoration decoration);

// The qualifiers of `interpolation` that an output of the module may have: PerVertexKHR is for inputs only, and Sample
// needs a capability that the module need not have (rule ).
Interpolation declarable_on_outputs(const spirv::Module& module, Interpolation interpolation);

// The decorations that stand for `interpolation`.
std::vector<spv::Decoration> interpolation_decorations(const Interpolation& interpolation);

}  // namespace varylink::varyings
