// Pipeline JSON of Vulkan SC as pipelines to link.
#pragma once

#include <string>

#include "cli/settings/inputs.h"
#include "cli/settings/pipeline_names.h"

namespace varylink::cli {

// Adds the pipeline that the text of `file` is, under the file's name without .json; its modules stand beside the file.
// Its companions are the same JSON, with the names of the results, and copies of modules that have none.
// Errors: usage, with line and column; a name that `names` does not take.
Result<void> add_sc_pipeline(std::string text, const std::string& file, PipelineNames& names, Collection& collection);

}  // namespace varylink::cli
