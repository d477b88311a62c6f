#include "cli/batch/shards.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "support/catch.h"

namespace varylink::cli {
namespace {

using Costs = std::vector<std::uint64_t>;

std::uint64_t cost_of(const std::vector<std::size_t>& items, const Costs& costs) {
  return std::accumulate(items.begin(), items.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, std::size_t item) { return sum + costs[item]; });
}

TEST_CASE("every item is in one shard, in order", "[cli]") {
  const std::size_t shards = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{50});
  std::mt19937 random(7);
  Costs costs(GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{40}));
  for (std::uint64_t& cost : costs) cost = random() % 1000;
  std::vector<std::size_t> all;
  for (std::size_t shard = 0; shard < shards; ++shard) {
    const std::vector<std::size_t> items = items_of_shard(costs, shard, shards);
    CHECK(std::is_sorted(items.begin(), items.end()));
    all.insert(all.end(), items.begin(), items.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<std::size_t> expected(costs.size());
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  CHECK(all == expected);
}

TEST_CASE("shards cost alike, not count alike", "[cli]") {
  const Costs costs = {90, 1, 10, 20, 30, 1, 30, 1, 1};
  CHECK(items_of_shard(costs, 0, 2) == std::vector<std::size_t>{0, 1, 7});
  CHECK(cost_of(items_of_shard(costs, 0, 2), costs) == 92);
  CHECK(cost_of(items_of_shard(costs, 1, 2), costs) == 92);
}

TEST_CASE("the number of shards costs nothing", "[cli]") {
  constexpr auto kMany = std::numeric_limits<std::size_t>::max();
  CHECK(items_of_shard(Costs{3, 9, 0}, 0, kMany) == std::vector<std::size_t>{1});
  CHECK(items_of_shard(Costs{3, 9, 0}, kMany - 1, kMany).empty());
  CHECK(items_of_shard(Costs{}, 0, kMany).empty());
}

TEST_CASE("the most expensive shard has at most an even part and one item", "[cli]") {
  std::mt19937 random(11);
  for (int round = 0; round < 50; ++round) {
    Costs costs(1 + random() % 60);
    for (std::uint64_t& cost : costs) cost = 1 + random() % (round % 2 == 0 ? 10 : 10000);
    const std::size_t shards = 1 + random() % 8;
    const std::uint64_t even = std::accumulate(costs.begin(), costs.end(), std::uint64_t{0}) / shards;
    for (std::size_t shard = 0; shard < shards; ++shard)
      CHECK(cost_of(items_of_shard(costs, shard, shards), costs) <=
            even + *std::max_element(costs.begin(), costs.end()));
  }
}

}  // namespace
}  // namespace varylink::cli
