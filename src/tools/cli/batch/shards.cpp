#include "cli/batch/shards.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace varylink::cli {

std::vector<std::size_t> items_of_shard(std::span<const std::uint64_t> costs, std::size_t shard, std::size_t shards) {
  std::vector<std::size_t> by_cost(costs.size());
  std::iota(by_cost.begin(), by_cost.end(), std::size_t{0});
  std::stable_sort(by_cost.begin(), by_cost.end(), [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });

  using Load = std::pair<std::uint64_t, std::size_t>;  // cost so far, shard
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  // As long as there is an empty shard the next item goes to the first of them: those behind as many as there are items
  // stay empty.
  for (std::size_t index = 0; index < std::min(shards, costs.size()); ++index) loads.emplace(0, index);
  std::vector<std::size_t> items;
  for (const std::size_t item : by_cost) {
    const auto [cost, index] = loads.top();
    loads.pop();
    loads.emplace(cost + costs[item], index);
    if (index == shard) items.push_back(item);
  }
  std::sort(items.begin(), items.end());
  return items;
}

}  // namespace varylink::cli
