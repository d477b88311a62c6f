// Affine sums as values of the graph.
#pragma once

#include <vector>

#include "graph/affine_basis.h"

namespace varylink::graph {

// The sum as operations over the values of the sent forms: sent[i] is that of form number i. `type` is that of all of
// them. Factors 1 and -1 are not multiplied by.
template <typename Number>
ValueId code_of(ValueGraph& graph, varyings::ScalarType type, const AffineSum<Number>& sum,
                const std::vector<ValueId>& sent);

extern template ValueId code_of(ValueGraph&, varyings::ScalarType, const AffineSum<double>&,
                                const std::vector<ValueId>&);
extern template ValueId code_of(ValueGraph&, varyings::ScalarType, const AffineSum<std::uint32_t>&,
                                const std::vector<ValueId>&);

}  // namespace varylink::graph
