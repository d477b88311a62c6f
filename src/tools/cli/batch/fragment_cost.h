// --max-fragment-cost: the cost of the fragment shader after linking, relative to the original.
#pragma once

#include <optional>

#include "cli/cache/cached_link.h"

namespace varylink::cli {

// The issue slots (analysis::StageCost::slots) of the linked fragment shader in percent of the original's, with the
// cost profile of the options. None without a fragment shader, with one that cannot be measured, and for a pipeline
// that was not linked.
std::optional<double> fragment_cost(const link::PipelineInput& original, const link::LinkedPipeline& linked,
                                    const link::LinkOptions& options, const ResultStores& stores);

}  // namespace varylink::cli
