// Links one pipeline, in memory.
#pragma once

#include <functional>
#include <optional>

#include "link/model/group.h"
#include "link/model/pipeline.h"

namespace varylink::driver {

// Validates, scalarizes, optimizes, packs, vectorizes and checks the stages of one pipeline.
//
// Guarantees: on success every output module passes the SPIR-V validator for options.validator.env, and every pair of
// consecutive stages passes the pair check. On failure `stages` is empty, `failure` says which kind it was and
// `diagnostics` holds at least one error. Same input and options, same words. Never throws for bad input.
// Thread safe: no shared state.
link::LinkedPipeline link_pipeline(const link::PipelineInput& pipeline, const link::LinkOptions& options);

// Adds source lines to a mismatch between stages that were compiled without. Compiles the pipeline again by
// `with_lines`, if it can, and takes the diagnostics of that attempt only. Does nothing to a pipeline that linked or
// failed for another reason.
void add_lines(link::LinkedPipeline& linked, const link::LinkOptions& options,
               const std::function<std::optional<link::PipelineInput>()>& with_lines);

// The pipeline as a group of one, for driver::link_group.
link::GroupInput group_of(const link::PipelineInput& pipeline);

}  // namespace varylink::driver
