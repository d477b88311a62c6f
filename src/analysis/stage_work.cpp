#include "analysis/stage_work.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace varylink::analysis {
namespace {

// The products that are part of the addition that uses them: one for each addition.
std::vector<bool> fused_products(const OperationGraph& graph) {
  std::vector<std::uint32_t> uses(graph.nodes.size(), 0);
  for (const OperationNode& node : graph.nodes)
    for (const NodeId operand : node.operands) ++uses[operand];
  std::vector<bool> fused(graph.nodes.size(), false);
  for (const OperationNode& node : graph.nodes) {
    if (node.fusion != Fusion::sum) continue;
    for (const NodeId operand : node.operands) {
      const OperationNode& product = graph.nodes[operand];
      if (product.fusion != Fusion::product || uses[operand] != 1 || product.is_uniform != node.is_uniform) continue;
      fused[operand] = true;
      break;
    }
  }
  return fused;
}

// By node: every user is a texture access, and there is one.
std::vector<bool> fetched_coordinates(const OperationGraph& graph) {
  std::vector<bool> fetched(graph.nodes.size(), false), used_otherwise(graph.nodes.size(), false);
  for (const OperationNode& node : graph.nodes)
    for (const NodeId operand : node.operands)
      (node.op_class == OpClass::texture ? fetched : used_otherwise)[operand] = true;
  for (NodeId id = 0; id < graph.nodes.size(); ++id)
    fetched[id] = fetched[id] && !used_otherwise[id] && graph.nodes[id].op_class == OpClass::interpolated_load;
  return fetched;
}

// Stores by the output component that they write, where it is known.
class Stores {
 public:
  explicit Stores(const OperationGraph& graph) : once_(graph.stores_each_output_once) {
    for (NodeId id = 0; id < graph.nodes.size(); ++id)
      if (graph.nodes[id].op_class == OpClass::output_store)
        ++first_and_count_.try_emplace(key(graph, id), id, 0).first->second.second;
  }
  // Whether it is the one that stands for all to its component.
  bool counts(const OperationGraph& graph, NodeId store) const {
    return first_and_count_.at(key(graph, store)).first == store;
  }
  // Of a constant, or of a uniform as it is, where nothing else is stored.
  bool needs_a_move(const OperationGraph& graph, NodeId store) const {
    const std::vector<NodeId>& operands = graph.nodes[store].operands;
    return first_and_count_.at(key(graph, store)).second == 1 &&
           std::all_of(operands.begin(), operands.end(),
                       [&](NodeId operand) { return graph.nodes[operand].op_class == OpClass::uniform_load; });
  }

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;
  Key key(const OperationGraph& graph, NodeId store) const {
    const OperationNode& node = graph.nodes[store];
    return once_ && node.location != kNoLocation ? Key{node.location, node.component} : Key{kNoLocation, store};
  }

  bool once_;
  std::map<Key, std::pair<NodeId, std::uint32_t>> first_and_count_;
};

OpClass location_class(const OperationNode& node) {
  if (node.is_attribute) return OpClass::attribute;
  if (node.op_class == OpClass::uniform_load) return OpClass::uniform_load;
  return node.op_class == OpClass::output_store ? OpClass::output_location : OpClass::input_location;
}

void count(OpClass op_class, bool is_uniform, OperationCounts& counts) {
  ++counts.all[static_cast<std::size_t>(op_class)];
  if (is_uniform) ++counts.uniform[static_cast<std::size_t>(op_class)];
}

}  // namespace

OperationCounts count_operations(const OperationGraph& graph) {
  OperationCounts counts;
  count(OpClass::stage, false, counts);
  const std::vector<bool> fused = fused_products(graph);
  const std::vector<bool> fetched = fetched_coordinates(graph);
  const Stores stores(graph);
  std::vector<bool> seen;  // by location
  for (NodeId id = 0; id < graph.nodes.size(); ++id) {
    const OperationNode& node = graph.nodes[id];
    if (node.op_class == OpClass::free || fused[id]) continue;
    const bool is_store = node.op_class == OpClass::output_store;
    if (is_store && !stores.counts(graph, id)) continue;
    const bool is_by_location =
        node.is_attribute || (node.op_class == OpClass::uniform_load && node.location != kNoLocation);
    if (!is_by_location) count(fetched[id] ? OpClass::fetched_load : node.op_class, node.is_uniform, counts);
    if (node.splits_coordinate) count(OpClass::split_coordinate, false, counts);
    if (is_store && stores.needs_a_move(graph, id)) count(OpClass::constant_store, false, counts);
    if (node.location == kNoLocation) continue;
    if (node.location >= seen.size()) seen.resize(node.location + 1, false);
    if (seen[node.location]) continue;
    seen[node.location] = true;
    count(location_class(node), node.is_uniform, counts);
  }
  return counts;
}

double work_of(const OperationCounts& counts, const CostProfile& profile) {
  double work = 0;
  for (std::size_t i = 0; i < kOpClassCount; ++i)
    work += profile.classes[i].cost * (counts.all[i] - (1 - profile.uniform_share) * counts.uniform[i]);
  return work;
}

}  // namespace varylink::analysis
