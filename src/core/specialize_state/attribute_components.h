// Components of vertex attributes that their format lacks.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "spirv/ir/module.h"
#include "state/pipeline_state.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::specialize_state {

// Whether a format lacks a component that the vertex stage declares: without one there is nothing to replace.
bool lacks_attribute_components(const spirv::Module& module, const varyings::Entry& entry,
                                const state::PipelineState& state);

// Replaces the vertex stage's loads of a component that the format lacks by the constant that Vulkan puts there: 0 for
// green and blue, 1 for alpha (rule ). Returns the formats that mattered.
std::map<std::uint32_t, std::string> fill_attribute_components(spirv::Module& module, const varyings::Entry& entry,
                                                               const state::PipelineState& state);

}  // namespace varylink::specialize_state
