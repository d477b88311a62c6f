// The operations of a stage that something needs.
#pragma once

#include <vector>

#include "analysis/operation_graph.h"

namespace varylink::analysis {

// Keeps the nodes of the graph that `needed`, by node, marks and those that they use, and renumbers the graph. Uses on
// edges go with their phis. `block_nodes` must still be empty.
void drop_unneeded(OperationGraph& graph, std::vector<bool> needed);

}  // namespace varylink::analysis
