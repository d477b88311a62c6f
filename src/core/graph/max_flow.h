// Minimum vertex cuts by maximum flow.
#pragma once

#include <cstdint>
#include <vector>

namespace varylink::graph {

// A directed graph with capacities on its nodes, some of which are sources and some sinks. The cut is a set of nodes of
// least total capacity whose removal leaves no path from a source to a sink; sources and sinks may be in it themselves.
//
// By Menger's theorem it is as large as the maximum flow through the graph in which every node is an arc of its
// capacity; the flow is found by Dinic's algorithm, iteratively, so that deep graphs do not exhaust the stack.
class VertexCut {
 public:
  using Node = std::uint32_t;
  using Capacity = std::uint64_t;
  static constexpr Capacity kUncuttable = 1ull << 50;

  // Nodes are numbered from 0 in the order they are added.
  Node add_node(Capacity capacity);
  // Flow may go from `from` to `to`.
  void add_edge(Node from, Node to);
  void add_source(Node node);
  void add_sink(Node node);

  // Capacity of the cut; kUncuttable or more if there is none of finite capacity. Call once.
  Capacity solve();

  // Of all minimum cuts the one closest to the sinks, or to the sources. Sorted. Only after solve().
  std::vector<Node> cut_near_sinks() const;
  std::vector<Node> cut_near_sources() const;

 private:
  struct Arc {
    std::uint32_t to;
    Capacity left;  // residual capacity; the opposite arc is the neighbour in the list, number ^ 1
  };
  static constexpr std::uint32_t kSource = 0, kSink = 1;
  static std::uint32_t in(Node node) { return 2 + 2 * node; }
  static std::uint32_t out(Node node) { return 3 + 2 * node; }

  void add_arc(std::uint32_t from, std::uint32_t to, Capacity capacity);
  bool find_levels();
  Capacity augment();
  std::vector<bool> reached_from_source() const;
  std::vector<bool> reaching_sink() const;

  std::vector<Arc> arcs_;
  std::vector<std::vector<std::uint32_t>> leaving_{2};  // arc numbers by vertex of the network
  std::vector<std::uint32_t> level_, next_;
};

}  // namespace varylink::graph
