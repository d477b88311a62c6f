// Names of files for results that name modules by their position.
#pragma once

#include <span>
#include <vector>

#include "link/model/pipeline.h"

namespace varylink::link {

// Puts the user's names of the modules into diagnostics and reasons of the pipelines of a group. `modules` are those
// that were linked together; the pipeline's own stages if it was linked alone.
void name_files(std::span<LinkedPipeline> linked, const std::vector<StageInput>& modules);

}  // namespace varylink::link
