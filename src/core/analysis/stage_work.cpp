#include "analysis/stage_work.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
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

// By node: an interpolated load of which every user is a `wanted` one, and there is one.
template <typename IsWanted>
std::vector<bool> loads_used_only(const OperationGraph& graph, const IsWanted& is_wanted) {
  std::vector<bool> wanted(graph.nodes.size(), false), used_otherwise(graph.nodes.size(), false);
  for (NodeId id = 0; id < graph.nodes.size(); ++id)
    for (const NodeId operand : graph.nodes[id].operands) (is_wanted(id) ? wanted : used_otherwise)[operand] = true;
  for (NodeId id = 0; id < graph.nodes.size(); ++id)
    wanted[id] = wanted[id] && !used_otherwise[id] && graph.nodes[id].op_class == OpClass::interpolated_load;
  return wanted;
}

// Texture accesses whose coordinate is interpolated inputs that an earlier access has taken.
class SharedCoordinates {
 public:
  explicit SharedCoordinates(const OperationGraph& graph) : graph_(graph) {}
  // In the order of the graph.
  bool takes_again(const OperationNode& access) {
    if (access.coordinate != Coordinate::whole && access.coordinate != Coordinate::split) return false;
    std::vector<NodeId> inputs;
    for (const NodeId operand : access.operands)
      if (graph_.nodes[operand].op_class == OpClass::interpolated_load) inputs.push_back(operand);
    return !taken_.insert(std::move(inputs)).second;
  }

 private:
  const OperationGraph& graph_;
  std::set<std::vector<NodeId>> taken_;
};

// Stores by the output component that they write, where it is known, and what they take besides themselves: compilers
// compute a value where it is stored to, but have to copy one that is somewhere else.
class Stores {
 public:
  explicit Stores(const OperationGraph& graph) : graph_(graph) {
    for (NodeId id = 0; id < graph.nodes.size(); ++id) {
      if (graph.nodes[id].op_class != OpClass::output_store) continue;
      if (++first_and_count_.try_emplace(key(id), id, 0).first->second.second > 1) continue;
      const std::optional<Vector> source = vector_of(id);
      const auto [vector, is_new] = vectors_.try_emplace(graph.nodes[id].location, source);
      if (!is_new && vector->second != source) vector->second = std::nullopt;
    }
  }
  // Whether it is the one that stands for all to its component.
  bool counts(NodeId store) const { return first_and_count_.at(key(store)).first == store; }
  // For a store that counts, in the order of the graph.
  std::optional<OpClass> copy(NodeId store) {
    if (first_and_count_.at(key(store)).second != 1) return std::nullopt;
    const std::vector<NodeId>& operands = graph_.nodes[store].operands;
    if (std::all_of(operands.begin(), operands.end(),
                    [&](NodeId operand) { return graph_.nodes[operand].op_class == OpClass::uniform_load; }))
      return OpClass::constant_store;
    if (operands.size() != 1) return std::nullopt;
    if (!stored_.insert(operands.front()).second) return OpClass::repeated_store;
    return !input_of(store) || passes_on(store) ? std::nullopt : std::optional(OpClass::copied_store);
  }
  // The store is part of a location that is an input location, in order.
  bool passes_on(NodeId store) const { return input_of(store) && vectors_.at(graph_.nodes[store].location); }

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;
  // An input location, and how many components further to the front of the output the store has a component of it.
  using Vector = std::pair<std::uint32_t, std::int64_t>;

  Key key(NodeId store) const {
    const OperationNode& node = graph_.nodes[store];
    const bool is_known = graph_.stores_each_output_once && node.location != kNoLocation;
    return is_known ? Key{node.location, node.component} : Key{kNoLocation, store};
  }
  // The input that is stored as it is.
  const OperationNode* input_of(NodeId store) const {
    const OperationNode& node = graph_.nodes[store];
    if (node.operands.size() != 1 || node.location == kNoLocation) return nullptr;
    const OperationNode& from = graph_.nodes[node.operands.front()];
    const bool is_input = from.op_class == OpClass::input_load || from.op_class == OpClass::interpolated_load;
    return is_input && from.location != kNoLocation ? &from : nullptr;
  }
  std::optional<Vector> vector_of(NodeId store) const {
    const OperationNode* input = input_of(store);
    if (input == nullptr) return std::nullopt;
    return Vector{input->location, std::int64_t{input->component} - graph_.nodes[store].component};
  }

  const OperationGraph& graph_;
  std::map<Key, std::pair<NodeId, std::uint32_t>> first_and_count_;
  std::map<std::uint32_t, std::optional<Vector>> vectors_;  // by output location: where all of it comes from
  std::set<NodeId> stored_;
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
  const std::vector<bool> fetched =
      loads_used_only(graph, [&](NodeId user) { return graph.nodes[user].op_class == OpClass::texture; });
  Stores stores(graph);
  const std::vector<bool> passed = loads_used_only(graph, [&](NodeId user) {
    return graph.nodes[user].op_class == OpClass::output_store && stores.passes_on(user);
  });
  SharedCoordinates coordinates(graph);
  std::vector<bool> seen;  // by location
  for (NodeId id = 0; id < graph.nodes.size(); ++id) {
    const OperationNode& node = graph.nodes[id];
    if (node.op_class == OpClass::free || fused[id]) continue;
    const bool is_store = node.op_class == OpClass::output_store;
    if (is_store && !stores.counts(id)) continue;
    const bool is_by_location =
        node.is_attribute || (node.op_class == OpClass::uniform_load && node.location != kNoLocation);
    const OpClass op_class = fetched[id] ? OpClass::fetched_load : passed[id] ? OpClass::passed_load : node.op_class;
    if (!is_by_location) count(op_class, node.is_uniform, counts);
    if (node.coordinate == Coordinate::split) count(OpClass::split_coordinate, false, counts);
    if (node.coordinate == Coordinate::computed) count(OpClass::computed_coordinate, false, counts);
    if (coordinates.takes_again(node)) count(OpClass::shared_coordinate, false, counts);
    if (const auto copy = is_store ? stores.copy(id) : std::nullopt) count(*copy, false, counts);
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
