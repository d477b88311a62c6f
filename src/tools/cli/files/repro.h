// Reproducers: files from which a result can be made again, without the sources.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "link/model/pipeline.h"

namespace varylink::cli {

// Writes the stages as <stage>.spv and the command line that links them as `command` into `folder`, which is created.
// Error: io.
Result<void> save_repro(const std::string& folder, const link::PipelineInput& pipeline,
                        const link::LinkOptions& options);

// The files that save_repro may write, whatever the pipeline.
std::vector<std::string> repro_files(const std::string& folder);

}  // namespace varylink::cli
