#include "share/clusters.h"

#include <algorithm>
#include <map>
#include <numeric>
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

std::vector<Cluster> connected_by(std::size_t count, const std::vector<std::vector<std::size_t>>& sets) {
  DisjointSets joined(count);
  for (const std::vector<std::size_t>& members : sets)
    for (const std::size_t member : members) joined.join(members.front(), member);
  return joined.clusters();
}

}  // namespace varylink::share
