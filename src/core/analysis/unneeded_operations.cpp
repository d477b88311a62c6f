#include "analysis/unneeded_operations.h"

#include <algorithm>
#include <utility>

namespace varylink::analysis {

void drop_unneeded(OperationGraph& graph, std::vector<bool> needed) {
  std::vector<NodeId> open;
  for (NodeId node = 0; node < graph.nodes.size(); ++node)
    if (needed[node]) open.push_back(node);
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    for (const NodeId operand : graph.nodes[node].operands)
      if (!needed[operand]) {
        needed[operand] = true;
        open.push_back(operand);
      }
  }
  std::vector<NodeId> renumbered(graph.nodes.size(), kNoNode);
  NodeId count = 0;
  for (NodeId node = 0; node < graph.nodes.size(); ++node)
    if (needed[node]) renumbered[node] = count++;
  const auto renumber = [&](std::vector<NodeId>& list) {
    for (NodeId& entry : list) entry = renumbered[entry];
    list.erase(std::remove(list.begin(), list.end(), kNoNode), list.end());
  };
  std::vector<OperationNode> kept;
  for (NodeId node = 0; node < graph.nodes.size(); ++node) {
    if (!needed[node]) continue;
    renumber(graph.nodes[node].operands);
    renumber(graph.nodes[node].after);
    kept.push_back(std::move(graph.nodes[node]));
  }
  graph.nodes = std::move(kept);
  std::vector<EdgeUse> uses;
  for (const EdgeUse& use : graph.edge_uses)
    if (renumbered[use.phi] != kNoNode) uses.push_back({renumbered[use.value], renumbered[use.phi], use.block});
  graph.edge_uses = std::move(uses);
}

}  // namespace varylink::analysis
