// --max-fragment-cost: linking less until the fragment shader costs no more than it may.
#pragma once

#include <optional>
#include <vector>

#include "cli/batch/named_options.h"
#include "cli/cache/cached_link.h"

namespace varylink::cli {

// Ways that give the fragment shader less to compute than `options`, each with what the ones before it do. The last one
// passes the pipeline through.
std::vector<NamedOptions> gentler_options(const link::LinkOptions& options);

// The issue slots (analysis::StageCost::slots) of the linked fragment shader in percent of the original's, with the
// cost profile of the options. None without a fragment shader, with one that cannot be measured, and for a pipeline
// that was not linked.
std::optional<double> fragment_cost(const link::PipelineInput& original, const link::LinkedPipeline& linked,
                                    const link::LinkOptions& options, const ResultStores& stores);

}  // namespace varylink::cli
