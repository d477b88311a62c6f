// Random pipelines: the same seed and weights give the same GLSL on every platform.
#pragma once

#include <cstdint>

#include "fuzz/feature_weights.h"
#include "fuzz/model.h"

namespace varylink::fuzz {

// Draws a pipeline. `features` holds the weights; its list of used features is cleared first and then copied into the
// result.
PipelineModel generate(std::uint64_t seed, Features& features);

}  // namespace varylink::fuzz
