// Declares arrays that are indexed dynamically with fewer locations (varyings/vectorize/dense_array.h, rule ).
//
// Wins 20 locations in 4 of 3,400 pipelines, which pass tables of weights on; no component.
#pragma once

#include <utility>
#include <vector>

#include "passes/pass.h"
#include "varyings/vectorize/dense_array.h"

namespace varylink::passes {

// Runs in front of placement: narrowed arrays and split arrays are better still.
Result<Progress> repack_arrays(link::Link& link, PassContext& context);

// Arrays that repack_arrays would declare densely, by slot; none where the pass is not run.
std::vector<std::pair<varyings::Slot, varyings::DenseShape>> dense_shapes(const link::Link& link,
                                                                          const link::LinkOptions& options);

}  // namespace varylink::passes
