// Pipelines for callers inside this project, who need not write down what varylink_pipeline_info::state says.
#pragma once

#include "api/handles.h"
#include "base/result.h"
#include "link/model/pipeline_description.h"

namespace varylink::api {

// Error (usage): a description that names files, which are for the command.
Result<void> take_description(const link::PipelineDescription& given, varylink_pipeline& pipeline);

}  // namespace varylink::api
