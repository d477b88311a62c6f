// What the ranges of vertex formats decide.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "analysis/pipeline_state.h"
#include "spirv/ir/module.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::assume {

// Follows the ranges of the attributes through the code of the vertex stage, whose locals are values by now, and takes
// out comparisons, minima, clamps, absolute values and masks that they decide (rule ). What a built-in output
// depends on keeps its arithmetic (rule ); its conditions are decided. Returns the formats that mattered.
std::map<std::uint32_t, std::string> decide_by_attribute_ranges(spirv::Module& module, const varyings::Entry& entry,
                                                                const analysis::PipelineState& state);

}  // namespace varylink::assume
