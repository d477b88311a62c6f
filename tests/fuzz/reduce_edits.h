// The single cuts that reduction tries.
#pragma once

#include <string>
#include <vector>

#include "fuzz/model.h"

namespace varylink::fuzz {

// Takes the name out of a stage: its declaration, the statements that are about it, and the expressions that read it
// (they become constants).
void remove_name(StageModel& stage, const std::string& name);

// Whether a pinned statement is about the name, so that without it something would stay undefined.
bool is_needed(const StageModel& stage, const std::string& name);

// Names of outputs of `producer` that `consumer` may read: "o0_3" goes with "i0_3".
std::vector<std::string> output_names(const StageModel& producer);
std::string input_name_of(const std::string& output_name);

// Everything else in the stage that has a name: attributes, resources, functions.
std::vector<std::string> other_names(const StageModel& stage);

// The pipeline without its tessellation stages, or without its geometry stage: the vertex (or evaluation) stage writes
// what they wrote. Returns false if there is nothing to drop.
bool drop_stages(PipelineModel& pipeline, bool tessellation);

// All statement lists of the stage, outer ones first: main and the functions, then the bodies in them.
std::vector<std::vector<Statement>*> blocks_of(StageModel& stage);

// All expressions of the stage, outer ones first.
std::vector<Expr*> expressions_of(StageModel& stage);

}  // namespace varylink::fuzz
