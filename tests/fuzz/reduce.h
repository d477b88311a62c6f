// Makes a failing pipeline small: drops stages, varyings, functions and statements and simplifies expressions while
// the failure persists.
#pragma once

#include <chrono>
#include <functional>

#include "fuzz/model.h"

namespace varylink::fuzz {

// Whether the pipeline still fails in the way that is looked for. Pipelines that do not compile do not.
using StillFails = std::function<bool(const PipelineModel&)>;

// The smallest pipeline found before `deadline`; at worst `pipeline` itself.
PipelineModel reduce(PipelineModel pipeline, const StillFails& still_fails,
                     std::chrono::steady_clock::time_point deadline);

}  // namespace varylink::fuzz
