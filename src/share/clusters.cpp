#include "share/clusters.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace varylink::share {
namespace {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  void join(std::size_t a, std::size_t b) {
    const std::size_t one = root(a), other = root(b);
    parent_[std::max(one, other)] = std::min(one, other);
  }

  // The sets in order of their lowest members.
  std::vector<Cluster> clusters() {
    std::map<std::size_t, Cluster> by_root;
    for (std::size_t i = 0; i < parent_.size(); ++i) by_root[root(i)].push_back(i);
    std::vector<Cluster> list;
    for (auto& [root, cluster] : by_root) list.push_back(std::move(cluster));
    return list;
  }

 private:
  std::size_t root(std::size_t item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }
  std::vector<std::size_t> parent_;
};

// Joins pipelines for which `keys_of` gives an equal key.
template <typename Keys>
std::vector<Cluster> joined_by(std::size_t count, Keys keys_of) {
  DisjointSets sets(count);
  std::map<typename decltype(keys_of(std::size_t{}))::value_type, std::size_t> first;
  for (std::size_t i = 0; i < count; ++i)
    for (auto& key : keys_of(i)) {
      const auto [entry, is_new] = first.emplace(std::move(key), i);
      if (!is_new) sets.join(entry->second, i);
    }
  return sets.clusters();
}

// A cluster while clusters are merged.
struct Growing {
  Cluster pipelines;
  std::map<std::size_t, Places> needed;      // by producer module
  std::map<std::size_t, std::size_t> users;  // pipelines per producer module
  std::set<std::size_t> modules;
};

std::size_t loss_of_one(const Growing& one, const Growing& other) {
  std::size_t loss = 0;
  for (const auto& [module, places] : one.needed)
    if (const auto twin = other.needed.find(module); twin != other.needed.end())
      loss += ((places | twin->second).count() - places.count()) * one.users.at(module);
  return loss;
}

void absorb(Growing& into, Growing&& other) {
  for (const auto& [module, places] : other.needed) into.needed[module] |= places;
  for (const auto& [module, count] : other.users) into.users[module] += count;
  into.modules.insert(other.modules.begin(), other.modules.end());
  into.pipelines.insert(into.pipelines.end(), other.pipelines.begin(), other.pipelines.end());
  std::sort(into.pipelines.begin(), into.pipelines.end());
}

Growing start_of(const Cluster& cluster, const std::vector<link::GroupPipeline>& pipelines,
                 const std::vector<AloneResult>& alone) {
  Growing growing;
  growing.pipelines = cluster;
  for (const std::size_t pipeline : cluster) {
    growing.modules.insert(pipelines[pipeline].modules.begin(), pipelines[pipeline].modules.end());
    for (const auto& [module, places] : alone[pipeline].kept) {
      growing.needed[module] |= places;
      ++growing.users[module];
    }
  }
  return growing;
}

// The module that is in most clusters, if those are more than `limit`, and these clusters.
std::vector<std::size_t> clusters_of_worst_module(const std::vector<Growing>& clusters, std::size_t limit) {
  std::map<std::size_t, std::vector<std::size_t>> by_module;
  for (std::size_t i = 0; i < clusters.size(); ++i)
    for (const std::size_t module : clusters[i].modules) by_module[module].push_back(i);
  std::vector<std::size_t> worst;
  for (const auto& [module, list] : by_module)
    if (list.size() > limit && list.size() > worst.size()) worst = list;
  return worst;
}

std::pair<std::size_t, std::size_t> cheapest_pair(const std::vector<Growing>& clusters,
                                                  const std::vector<std::size_t>& among) {
  std::optional<std::size_t> least;
  std::pair<std::size_t, std::size_t> best;
  for (std::size_t i = 0; i < among.size(); ++i)
    for (std::size_t j = i + 1; j < among.size(); ++j) {
      const Growing& a = clusters[among[i]];
      const Growing& b = clusters[among[j]];
      const std::size_t loss = loss_of_one(a, b) + loss_of_one(b, a);
      if (least && loss >= *least) continue;
      least = loss;
      best = {among[i], among[j]};
    }
  return best;
}

}  // namespace

std::vector<Cluster> equal_pipelines(const std::vector<link::GroupPipeline>& pipelines) {
  return joined_by(pipelines.size(), [&](std::size_t i) {
    std::vector<std::size_t> modules = pipelines[i].modules;
    std::sort(modules.begin(), modules.end());
    return std::vector{std::tuple(modules, pipelines[i].state, link::text(pipelines[i].layout))};
  });
}

std::vector<Cluster> connected_pipelines(const std::vector<link::GroupPipeline>& pipelines) {
  return joined_by(pipelines.size(), [&](std::size_t i) { return pipelines[i].modules; });
}

std::vector<Cluster> clusters_of_few_variants(const std::vector<link::GroupPipeline>& pipelines,
                                              const std::vector<AloneResult>& alone, std::size_t max_variants) {
  const std::size_t limit = std::max<std::size_t>(max_variants, 1);
  std::vector<Growing> clusters;
  const auto same_results = joined_by(pipelines.size(), [&](std::size_t i) {
    return std::vector<std::pair<std::size_t, std::string>>(alone[i].result.begin(), alone[i].result.end());
  });
  for (const Cluster& cluster : same_results) clusters.push_back(start_of(cluster, pipelines, alone));
  for (;;) {
    const std::vector<std::size_t> among = clusters_of_worst_module(clusters, limit);
    if (among.empty()) break;
    const auto [first, second] = cheapest_pair(clusters, among);
    absorb(clusters[first], std::move(clusters[second]));
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(second));
  }
  std::vector<Cluster> result;
  for (Growing& cluster : clusters) result.push_back(std::move(cluster.pipelines));
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace varylink::share
