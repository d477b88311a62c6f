// The operations of a stage that something needs.
#pragma once

#include <vector>

#include "analysis/operation_graph.h"

namespace varylink::analysis {

// Leaves of the graph what `needed`, by node, says and what that uses, and renumbers it. Uses on edges go with their
// phis. `block_nodes` must still be empty.
void drop_unneeded(OperationGraph& graph, std::vector<bool> needed);

}  // namespace varylink::analysis
