#include "graph/max_flow.h"

#include <algorithm>
#include <limits>

namespace varylink::graph {
namespace {

constexpr std::uint32_t kUnreached = 0xffffffffu;

}  // namespace

VertexCut::Node VertexCut::add_node(Capacity capacity) {
  const auto node = static_cast<Node>((leaving_.size() - 2) / 2);
  leaving_.resize(leaving_.size() + 2);
  add_arc(in(node), out(node), capacity);
  return node;
}

void VertexCut::add_arc(std::uint32_t from, std::uint32_t to, Capacity capacity) {
  leaving_[from].push_back(static_cast<std::uint32_t>(arcs_.size()));
  arcs_.push_back({to, capacity});
  leaving_[to].push_back(static_cast<std::uint32_t>(arcs_.size()));
  arcs_.push_back({from, 0});
}

void VertexCut::add_edge(Node from, Node to) { add_arc(out(from), in(to), kUncuttable); }
void VertexCut::add_source(Node node) { add_arc(kSource, in(node), kUncuttable); }
void VertexCut::add_sink(Node node) { add_arc(out(node), kSink, kUncuttable); }

bool VertexCut::find_levels() {
  level_.assign(leaving_.size(), kUnreached);
  level_[kSource] = 0;
  std::vector<std::uint32_t> queue = {kSource};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const std::uint32_t arc : leaving_[queue[i]]) {
      const std::uint32_t to = arcs_[arc].to;
      if (arcs_[arc].left == 0 || level_[to] != kUnreached) continue;
      level_[to] = level_[queue[i]] + 1;
      queue.push_back(to);
    }
  return level_[kSink] != kUnreached;
}

// One blocking flow along the levels: walks forward until the sink, pushes what the path carries, backs up.
VertexCut::Capacity VertexCut::augment() {
  Capacity total = 0;
  std::vector<std::uint32_t> path;  // arcs
  std::uint32_t at = kSource;
  while (true) {
    if (at == kSink) {
      Capacity push = std::numeric_limits<Capacity>::max();
      for (const std::uint32_t arc : path) push = std::min(push, arcs_[arc].left);
      for (const std::uint32_t arc : path) {
        arcs_[arc].left -= push;
        arcs_[arc ^ 1].left += push;
      }
      total += push;
      // Go on in front of the first arc that is full now.
      for (std::size_t i = 0; i < path.size(); ++i)
        if (arcs_[path[i]].left == 0) {
          path.resize(i + 1);
          break;
        }
      at = arcs_[path.back() ^ 1].to;
      path.pop_back();
      continue;
    }
    bool moved = false;
    for (std::uint32_t& next = next_[at]; next < leaving_[at].size(); ++next) {
      const std::uint32_t arc = leaving_[at][next];
      if (arcs_[arc].left == 0 || level_[arcs_[arc].to] != level_[at] + 1) continue;
      path.push_back(arc);
      at = arcs_[arc].to;
      moved = true;
      break;
    }
    if (moved) continue;
    if (path.empty()) return total;
    at = arcs_[path.back() ^ 1].to;
    path.pop_back();
    ++next_[at];
  }
}

VertexCut::Capacity VertexCut::solve() {
  Capacity flow = 0;
  while (flow < kUncuttable && find_levels()) {
    next_.assign(leaving_.size(), 0);
    flow += augment();
  }
  return flow;
}

std::vector<bool> VertexCut::reached_from_source() const {
  std::vector<bool> reached(leaving_.size(), false);
  reached[kSource] = true;
  std::vector<std::uint32_t> queue = {kSource};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const std::uint32_t arc : leaving_[queue[i]])
      if (arcs_[arc].left != 0 && !reached[arcs_[arc].to]) {
        reached[arcs_[arc].to] = true;
        queue.push_back(arcs_[arc].to);
      }
  return reached;
}

std::vector<bool> VertexCut::reaching_sink() const {
  std::vector<bool> reaching(leaving_.size(), false);
  reaching[kSink] = true;
  std::vector<std::uint32_t> queue = {kSink};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const std::uint32_t arc : leaving_[queue[i]]) {
      const std::uint32_t from = arcs_[arc].to;  // the opposite arc leads from there to here
      if (arcs_[arc ^ 1].left != 0 && !reaching[from]) {
        reaching[from] = true;
        queue.push_back(from);
      }
    }
  return reaching;
}

std::vector<VertexCut::Node> VertexCut::cut_near_sources() const {
  const std::vector<bool> reached = reached_from_source();
  std::vector<Node> cut;
  for (Node node = 0; out(node) < leaving_.size(); ++node)
    if (reached[in(node)] && !reached[out(node)]) cut.push_back(node);
  return cut;
}

std::vector<VertexCut::Node> VertexCut::cut_near_sinks() const {
  const std::vector<bool> reaching = reaching_sink();
  std::vector<Node> cut;
  for (Node node = 0; out(node) < leaving_.size(); ++node)
    if (!reaching[in(node)] && reaching[out(node)]) cut.push_back(node);
  return cut;
}

}  // namespace varylink::graph
