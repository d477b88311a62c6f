// Sizes of points that no point gets.
#pragma once

#include <optional>

#include "spirv/ir/module.h"
#include "state/pipeline_state.h"
#include "varyings/reflect/interface_variable.h"

namespace varylink::specialize_state {

// The part of `state` that says that none of the primitives that this stage, the last one in front of the rasterizer,
// hands over is drawn as points (rule ); empty where the stage says it alone, none where nothing does.
std::optional<state::PipelineState> draws_no_points(const spirv::Module& module, const varyings::Entry& entry,
                                                    const state::PipelineState& state);

// Takes out the stores to PointSize. Those stay of a stage that loads it again or captures its outputs, and the
// declaration stays in any case. Whether there were any.
bool drop_point_size(spirv::Module& module, const varyings::Entry& entry);

}  // namespace varylink::specialize_state
