// What a value of the graph costs to compute.
#pragma once

#include <set>

#include "graph/value.h"
#include "spirv/stage.h"

namespace varylink::passes {

// Cost of the last operation of the value alone, in basic operations of the default cost profile.
double cost_of(const graph::Value& value);

// Cost of computing all of the values, each once. A product that one addition or subtraction of them takes, and nothing
// else, is fused with it, as compilers for GPUs do unless one of the two is NoContraction.
double cost_of(const graph::ValueGraph& graph, const std::set<graph::ValueId>& values);

// What a component that no longer crosses is worth to the consumer, in basic operations of its own.
inline constexpr double kOperationsPerComponent = 4;

// What an expression over uniforms may cost, in the same unit, for a consumer to compute it instead of getting it as a
// varying. A control shader runs as often as the vertex shader in front of it, so that everything pays. A fragment
// shader runs more often, but every component it gets costs up to 8 slots to interpolate and 8 for each vertex to store
// (profile "tiler"), while drivers and scalar units compute what is uniform once for many fragments.
double uniform_cost_limit(Stage consumer);

}  // namespace varylink::passes
