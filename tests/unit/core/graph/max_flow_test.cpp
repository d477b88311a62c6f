#include "graph/max_flow.h"

#include <algorithm>
#include <random>

#include "support/catch.h"

namespace varylink::graph {
namespace {

struct Network {
  std::vector<VertexCut::Capacity> capacities;
  std::vector<std::vector<bool>> edges;  // edges[from][to]
  std::vector<bool> sources, sinks;

  std::size_t size() const { return capacities.size(); }
};

VertexCut built(const Network& network) {
  VertexCut cut;
  for (const VertexCut::Capacity capacity : network.capacities) cut.add_node(capacity);
  for (VertexCut::Node a = 0; a < network.size(); ++a) {
    for (VertexCut::Node b = 0; b < network.size(); ++b)
      if (network.edges[a][b]) cut.add_edge(a, b);
    if (network.sources[a]) cut.add_source(a);
    if (network.sinks[a]) cut.add_sink(a);
  }
  return cut;
}

// No path from a source to a sink that avoids `removed` (a bit per node).
bool separates(const Network& network, std::uint32_t removed) {
  std::vector<bool> reached(network.size(), false);
  std::vector<std::size_t> open;
  const auto reach = [&](std::size_t node) {
    if (reached[node] || (removed >> node & 1) != 0) return;
    reached[node] = true;
    open.push_back(node);
  };
  for (std::size_t node = 0; node < network.size(); ++node)
    if (network.sources[node]) reach(node);
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (network.sinks[node]) return false;
    for (std::size_t next = 0; next < network.size(); ++next)
      if (network.edges[node][next]) reach(next);
  }
  return true;
}

VertexCut::Capacity capacity_of(const Network& network, std::uint32_t nodes) {
  VertexCut::Capacity total = 0;
  for (std::size_t node = 0; node < network.size(); ++node)
    if ((nodes >> node & 1) != 0) total += network.capacities[node];
  return total;
}

VertexCut::Capacity smallest_cut(const Network& network) {
  VertexCut::Capacity best = VertexCut::kUncuttable * network.size() + 1;
  for (std::uint32_t nodes = 0; nodes < 1u << network.size(); ++nodes)
    if (separates(network, nodes)) best = std::min(best, capacity_of(network, nodes));
  return best;
}

std::uint32_t bits(const std::vector<VertexCut::Node>& nodes) {
  std::uint32_t result = 0;
  for (const VertexCut::Node node : nodes) result |= 1u << node;
  return result;
}

// Compared without Catch's macros for each graph: there are a hundred thousand of them.
bool agrees(const Network& network) {
  VertexCut cut = built(network);
  const VertexCut::Capacity expected = smallest_cut(network), found = cut.solve();
  if (expected >= VertexCut::kUncuttable) return found >= VertexCut::kUncuttable;
  const std::uint32_t near_sinks = bits(cut.cut_near_sinks()), near_sources = bits(cut.cut_near_sources());
  return found == expected && capacity_of(network, near_sinks) == expected && separates(network, near_sinks) &&
         capacity_of(network, near_sources) == expected && separates(network, near_sources);
}

// Every acyclic graph whose nodes are in topological order: bits of `code` say which edges there are.
Network acyclic(std::size_t size, std::uint32_t code) {
  Network network{std::vector<VertexCut::Capacity>(size, 1), {}, std::vector<bool>(size), std::vector<bool>(size)};
  network.edges.assign(size, std::vector<bool>(size));
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = a + 1; b < size; ++b, code >>= 1) network.edges[a][b] = (code & 1) != 0;
  return network;
}

TEST_CASE("the cut is minimal in every graph of up to four nodes", "[max_flow]") {
  std::size_t graphs = 0, wrong = 0;
  for (std::size_t size = 1; size <= 4; ++size)
    for (std::uint32_t edges = 0; edges < 1u << (size * (size - 1) / 2); ++edges)
      for (std::uint32_t ends = 0; ends < 1u << (2 * size); ++ends)
        for (std::uint32_t weights = 0; weights < (size < 4 ? 1u << (2 * size) : 1u << size); ++weights) {
          Network network = acyclic(size, edges);
          for (std::size_t node = 0; node < size; ++node) {
            network.sources[node] = (ends >> node & 1) != 0;
            network.sinks[node] = (ends >> (size + node) & 1) != 0;
            // Up to three nodes: 1, 2, 3 or uncuttable. Four: 1 or uncuttable.
            const std::uint32_t weight = size < 4 ? weights >> (2 * node) & 3 : (weights >> node & 1) * 3;
            network.capacities[node] = weight == 3 ? VertexCut::kUncuttable : weight + 1;
          }
          ++graphs;
          wrong += !agrees(network);
        }
  CHECK(graphs > 250000);
  CHECK(wrong == 0);
}

TEST_CASE("the cut is minimal in random graphs of nine nodes, cycles included", "[max_flow]") {
  std::mt19937 random(1);
  std::size_t wrong = 0;
  for (int round = 0; round < 3000; ++round) {
    Network network = acyclic(9, 0);
    for (std::size_t a = 0; a < 9; ++a) {
      for (std::size_t b = 0; b < 9; ++b) network.edges[a][b] = a != b && random() % 4 == 0;
      network.sources[a] = random() % 4 == 0;
      network.sinks[a] = random() % 4 == 0;
      network.capacities[a] = random() % 5 == 0 ? VertexCut::kUncuttable : 1 + random() % 3;
    }
    wrong += !agrees(network);
  }
  CHECK(wrong == 0);
}

TEST_CASE("the two cuts are at the two ends of a chain", "[max_flow]") {
  Network chain = acyclic(4, 0);
  for (std::size_t node = 0; node < 3; ++node) chain.edges[node][node + 1] = true;
  chain.sources[0] = chain.sinks[3] = true;
  VertexCut cut = built(chain);
  REQUIRE(cut.solve() == 1);
  CHECK(cut.cut_near_sources() == std::vector<VertexCut::Node>{0});
  CHECK(cut.cut_near_sinks() == std::vector<VertexCut::Node>{3});
}

}  // namespace
}  // namespace varylink::graph
