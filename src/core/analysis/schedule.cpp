#include "analysis/schedule.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>

namespace varylink::analysis {
namespace {

// How many of the most urgent operations are looked at for one that frees registers; bounds the time for large blocks.
constexpr int kCandidates = 32;

bool is_slow_unit(OpClass op_class) {
  switch (op_class) {
    case OpClass::special:
    case OpClass::power:
    case OpClass::float_divide:
    case OpClass::float_modulo:
    case OpClass::wide_special:
    case OpClass::texture:
    case OpClass::memory_load:
    case OpClass::memory_store: return true;
    default: return false;
  }
}

class Scheduler {
 public:
  Scheduler(const OperationGraph& graph, const CostProfile& profile) : graph_(graph), profile_(profile) {}

  StageCost run() {
    count_users();
    find_critical_path();
    block_end_.resize(graph_.block_nodes.size());
    for (std::uint32_t block = 0; block < graph_.block_nodes.size(); ++block) schedule_block(block);
    cost_.slots = time_;
    find_peak();
    cost_.operations = count_operations(graph_);
    cost_.work = work_of(cost_.operations, profile_);
    return cost_;
  }

 private:
  struct Pending {
    std::uint32_t ready = 0;
    NodeId node = 0;
    friend bool operator<(const Pending& a, const Pending& b) {
      return std::pair(a.ready, a.node) > std::pair(b.ready, b.node);
    }
  };
  struct Urgent {
    std::uint32_t height = 0;
    NodeId node = 0;
    friend bool operator<(const Urgent& a, const Urgent& b) {
      return a.height != b.height ? a.height > b.height : a.node < b.node;
    }
  };

  std::uint32_t slots(NodeId node) const {
    return static_cast<std::uint32_t>(std::ceil(profile_[graph_.nodes[node].op_class].cost));
  }
  std::uint32_t delay(NodeId producer, NodeId user) const;
  void count_users();
  void find_critical_path();
  void find_heights(const std::vector<NodeId>& nodes);
  void schedule_block(std::uint32_t block);
  void make_available();
  NodeId choose();
  int freed_by(NodeId node) const;
  void issue(NodeId node);
  void release_users(NodeId node);
  void find_peak();
  std::uint32_t last_use_in_loops(std::uint32_t use_block, NodeId value, std::uint32_t use) const;

  const OperationGraph& graph_;
  const CostProfile& profile_;
  StageCost cost_;
  std::vector<std::vector<NodeId>> users_;  // in the same block, once per edge
  std::vector<std::uint32_t> uses_left_;    // users anywhere that have not been issued
  std::vector<std::uint32_t> waits_for_;    // operands in the same block that have not been issued
  std::vector<std::uint32_t> height_;       // slots from the node's start to the end of the longest path in its block
  std::vector<std::uint32_t> end_;          // slot behind the node
  std::vector<std::uint32_t> ordinal_;      // how many were issued before it
  std::vector<std::uint32_t> block_end_;    // ordinal behind the last node of the block
  std::priority_queue<Pending> pending_;
  std::set<Urgent> available_;
  std::uint32_t time_ = 0;
  std::uint32_t issued_ = 0;
  std::uint64_t live_ = 0;  // words; loops are not looked at, this only guides the choice
};

std::uint32_t Scheduler::delay(NodeId producer, NodeId user) const {
  const OpClass from = graph_.nodes[producer].op_class;
  const std::uint32_t usual = profile_[from].delay;
  const bool into_slow_unit = from == OpClass::basic && is_slow_unit(graph_.nodes[user].op_class);
  return into_slow_unit ? std::max(usual, profile_.delay_into_slow_units) : usual;
}

void Scheduler::count_users() {
  const std::size_t count = graph_.nodes.size();
  users_.resize(count);
  uses_left_.resize(count);
  waits_for_.resize(count);
  height_.resize(count);
  end_.resize(count);
  ordinal_.resize(count);
  for (NodeId node = 0; node < count; ++node) {
    const OperationNode& facts = graph_.nodes[node];
    const auto wait_for = [&](NodeId operand) {
      if (facts.is_phi || graph_.nodes[operand].block != facts.block) return;
      users_[operand].push_back(node);
      ++waits_for_[node];
    };
    for (const NodeId operand : facts.operands) wait_for(operand);
    for (const NodeId operand : facts.after) wait_for(operand);
    for (const NodeId operand : facts.operands) ++uses_left_[operand];
    if (facts.op_class != OpClass::free && slots(node) > 0) ++cost_.instructions;
  }
}

// Earliest ends if everything ran as soon as its operands are there; what flows back in a loop does not count.
void Scheduler::find_critical_path() {
  std::vector<std::uint32_t> end(graph_.nodes.size());
  for (NodeId node = 0; node < graph_.nodes.size(); ++node) {
    const OperationNode& facts = graph_.nodes[node];
    std::uint32_t start = 0;
    for (const NodeId operand : facts.operands)
      if (operand < node) start = std::max(start, end[operand] + delay(operand, node));
    end[node] = start + slots(node);
    cost_.critical_path = std::max(cost_.critical_path, end[node]);
  }
}

void Scheduler::find_heights(const std::vector<NodeId>& nodes) {
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    std::uint32_t below = 0;
    for (const NodeId user : users_[*node]) below = std::max(below, delay(*node, user) + height_[user]);
    height_[*node] = slots(*node) + below;
  }
}

void Scheduler::make_available() {
  if (available_.empty() && !pending_.empty()) time_ = std::max(time_, pending_.top().ready);
  while (!pending_.empty() && pending_.top().ready <= time_) {
    available_.insert({height_[pending_.top().node], pending_.top().node});
    pending_.pop();
  }
}

int Scheduler::freed_by(NodeId node) const {
  int freed = -static_cast<int>(graph_.nodes[node].words);
  for (const NodeId operand : graph_.nodes[node].operands)
    if (uses_left_[operand] == 1) freed += static_cast<int>(graph_.nodes[operand].words);
  return freed;
}

NodeId Scheduler::choose() {
  auto best = available_.begin();
  if (live_ >= profile_.register_budget) {
    auto candidate = best;
    for (int i = 0; i < kCandidates && candidate != available_.end(); ++i, ++candidate)
      if (freed_by(candidate->node) > freed_by(best->node)) best = candidate;
  }
  const NodeId node = best->node;
  available_.erase(best);
  return node;
}

void Scheduler::release_users(NodeId node) {
  for (const NodeId user : users_[node]) {
    if (--waits_for_[user] > 0) continue;
    std::uint32_t ready = 0;
    for (const NodeId operand : graph_.nodes[user].operands)
      ready = std::max(ready, end_[operand] + delay(operand, user));
    pending_.push({ready, user});
  }
}

void Scheduler::issue(NodeId node) {
  time_ += slots(node);
  end_[node] = time_;
  ordinal_[node] = issued_++;
  // Operands of a phi are not counted down: they flow along an edge, in a loop even backwards.
  if (!graph_.nodes[node].is_phi)
    for (const NodeId operand : graph_.nodes[node].operands)
      if (--uses_left_[operand] == 0) live_ -= graph_.nodes[operand].words;
  if (uses_left_[node] > 0) live_ += graph_.nodes[node].words;
  release_users(node);
}

void Scheduler::schedule_block(std::uint32_t block) {
  const std::vector<NodeId>& nodes = graph_.block_nodes[block];
  find_heights(nodes);
  for (const NodeId node : nodes) {
    if (waits_for_[node] > 0) continue;
    // Operands are in earlier blocks, except for phis, whose operands flow along an edge.
    std::uint32_t ready = 0;
    for (const NodeId operand : graph_.nodes[node].operands)
      if (!graph_.nodes[node].is_phi) ready = std::max(ready, end_[operand] + delay(operand, node));
    pending_.push({ready, node});
  }
  for (make_available(); !available_.empty(); make_available()) issue(choose());
  block_end_[block] = issued_;
}

// A value that is defined before a loop and used in it is alive until the loop ends.
std::uint32_t Scheduler::last_use_in_loops(std::uint32_t use_block, NodeId value, std::uint32_t use) const {
  const std::uint32_t defined_in = graph_.nodes[value].block;
  std::uint32_t last = use;
  for (const LoopRange& loop : graph_.loops) {
    const bool contains_use = loop.first <= use_block && use_block <= loop.last;
    const bool contains_value = loop.first <= defined_in && defined_in <= loop.last;
    if (contains_use && !contains_value) last = std::max(last, block_end_[loop.last]);
  }
  return last;
}

void Scheduler::find_peak() {
  std::vector<std::uint32_t> last_use(graph_.nodes.size(), 0);
  const auto use = [&](NodeId value, std::uint32_t block, std::uint32_t ordinal) {
    last_use[value] = std::max(last_use[value], last_use_in_loops(block, value, ordinal));
  };
  for (NodeId node = 0; node < graph_.nodes.size(); ++node)
    if (!graph_.nodes[node].is_phi)
      for (const NodeId operand : graph_.nodes[node].operands) use(operand, graph_.nodes[node].block, ordinal_[node]);
  for (const EdgeUse& edge : graph_.edge_uses) use(edge.value, edge.block, block_end_[edge.block]);
  std::vector<std::int64_t> change(issued_ + 2, 0);
  for (NodeId node = 0; node < graph_.nodes.size(); ++node) {
    // The last user may put its result where this value was.
    const std::uint32_t first = ordinal_[node];
    const std::uint32_t behind = std::max(first + 1, last_use[node]);
    change[first] += graph_.nodes[node].words;
    change[behind] -= graph_.nodes[node].words;
  }
  std::int64_t live = 0, peak = 0;
  for (const std::int64_t step : change) peak = std::max(peak, live += step);
  cost_.peak_live = static_cast<std::uint32_t>(peak);
}

}  // namespace

StageCost schedule(const OperationGraph& graph, const CostProfile& profile) { return Scheduler(graph, profile).run(); }

}  // namespace varylink::analysis
