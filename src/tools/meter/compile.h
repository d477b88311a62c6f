// Compiles both sides of a pipeline on a Vulkan driver and asks it for its statistics
// (VK_KHR_pipeline_executable_properties). Nothing is drawn.
#pragma once

#include <memory>

#include "base/result.h"
#include "link/model/pipeline.h"
#include "measure/measurement.h"
#include "verify/gpu.h"

namespace varylink::measure {

// A device for compiling that has statistics. Error (usage): none; the message says how to get one.
Result<std::unique_ptr<verify::Gpu>> open_compiler();

// In the process of the caller: a driver that crashes takes the process along; Meter (measure/driver/meter.h) is the
// safe form. The fixed-function state is that of `state`, and suits the original where `state` is silent. Stages in any
// order.
Measurement compile_both(const verify::Gpu& gpu, const std::vector<link::StageInput>& original,
                         const std::vector<link::StageInput>& linked, const state::PipelineState& state);

}  // namespace varylink::measure
