#include "analysis/texture_coordinate.h"

#include <algorithm>

namespace varylink::analysis {

Coordinate coordinate_of(const OperationGraph& graph, const Components& components) {
  const auto is_interpolated = [&](NodeId id) {
    return !is_constant(id) && graph.nodes[id].op_class == OpClass::interpolated_load;
  };
  const auto is_same_for_all = [&](NodeId id) { return is_constant(id) || graph.nodes[id].is_uniform; };
  if (std::all_of(components.begin(), components.end(), is_same_for_all)) return Coordinate::none;
  if (!std::all_of(components.begin(), components.end(), is_interpolated)) return Coordinate::computed;
  const OperationNode& first = graph.nodes[components.front()];
  for (std::size_t i = 0; i < components.size(); ++i) {
    const OperationNode& input = graph.nodes[components[i]];
    if (input.location != first.location || input.component != first.component + i) return Coordinate::split;
  }
  return components.size() > 1 && first.component % 2 != 0 ? Coordinate::split : Coordinate::whole;
}

}  // namespace varylink::analysis
