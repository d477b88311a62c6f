// One function per shader stage: builds the stage between two given interfaces.
#pragma once

#include "fuzz/interface_plan.h"
#include "fuzz/model.h"
#include "fuzz/stage_builder.h"

namespace varylink::fuzz {

StageModel build_vertex(Build& build, const Interface& outputs);
StageModel build_tess_control(Build& build, const Interface& inputs, const Interface& outputs);
StageModel build_tess_eval(Build& build, const Interface& inputs, const Interface& outputs);
StageModel build_geometry(Build& build, const Interface& inputs, const Interface& outputs);

// The mesh stage draws the same triangles as the vertex stage would; with `has_task` it reads the payload of the task
// stage, which goes with it.
StageModel build_mesh(Build& build, const Interface& outputs, bool has_task);
StageModel build_task(Build& build);

// `has_geometry`: the stage in front is a geometry or mesh stage, so that gl_PrimitiveID is not there to be read.
StageModel build_fragment(Build& build, const Interface& inputs, bool has_geometry);

// Adds a "gl_Position = " statement for a triangle inside of the viewport that is found from gl_VertexIndex alone.
void add_grid_position(StageBuilder& builder, Block& block);

}  // namespace varylink::fuzz
