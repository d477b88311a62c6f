// Takes out built-in outputs without a load, in front of stages that are not the rasterizer.
//
//   vert: gl_PointSize = 2.0;   tesc: gl_in[i].gl_Position       ->       vert writes gl_Position only
//
// Before the last pre-rasterization stage Position, PointSize, ClipDistance and the like are plain data: only the next
// stage can read them (rule ). Stores to members, and to single elements of the distance arrays, that no consumer
// loads and the producer does not read back go. The declarations of a built-in block have to be the same on both sides,
// so a block keeps all its members until no code of a stage touches it; then the stage loses it altogether.
// Tessellation levels feed the tessellator and stay, as do built-ins that the rasterizer reads (rule ).
#pragma once

#include "passes/pass.h"

namespace varylink::passes {

Result<Progress> remove_dead_built_ins(link::Link& link, PassContext& context);

}  // namespace varylink::passes
