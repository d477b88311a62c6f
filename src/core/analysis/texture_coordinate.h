// The source of the coordinate of a texture access.
#pragma once

#include "analysis/component_nodes.h"
#include "analysis/operation_graph.h"

namespace varylink::analysis {

// `components` are those of the operand Coordinate, with the layer and a projective divisor if there are.
Coordinate coordinate_of(const OperationGraph& graph, const Components& components);

}  // namespace varylink::analysis
