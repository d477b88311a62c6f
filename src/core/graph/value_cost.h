// Costs of the values of a graph.
#pragma once

#include <set>

#include "analysis/cost_profile.h"
#include "graph/value.h"
#include "spirv/ir/stage.h"

namespace varylink::graph {

// Cost of the last operation of the value alone, in basic operations of the profile.
double cost_of(const analysis::CostProfile& profile, const graph::Value& value);

// Cost of computing all of the values, each once. A division by a constant is a product. A product that one addition or
// subtraction of them takes, and nothing else, is fused with it, as compilers for GPUs do unless one of the two is
// NoContraction.
double cost_of(const analysis::CostProfile& profile, const graph::ValueGraph& graph,
               const std::set<graph::ValueId>& values);

// The worth of a component that no longer crosses, in basic operations of the consumer.
inline constexpr double kOperationsPerComponent = 4;

// The most that a uniform expression may cost, in the same unit, for a consumer to compute it instead of reading a
// varying. A control shader runs as often as the vertex shader in front of it, so any cost pays there. A fragment
// shader has the profile's `uniform_limit`.
double uniform_cost_limit(const analysis::CostProfile& profile, Stage consumer);

}  // namespace varylink::graph
