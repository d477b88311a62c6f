#include "share/few_variants.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace varylink::share {
namespace {

using Module = std::size_t;
using ClusterId = std::size_t;  // place in the list of clusters at the start; a merged one has that of its first part
using VariantId = std::size_t;  // equal where clusters have one variant of a module

// Sets of places by number, so that equal needs are told by comparing two numbers.
class KnownPlaces {
 public:
  std::size_t number_of(const Places& places) {
    const auto [entry, is_new] = numbers_.try_emplace(places, list_.size());
    if (is_new) list_.push_back(places);
    return entry->second;
  }
  const Places& operator[](std::size_t number) const { return list_[number]; }

 private:
  std::unordered_map<Places, std::size_t> numbers_;
  std::vector<Places> list_;
};

// Components that some pipelines send from a module.
struct Sent {
  std::size_t needed = 0;  // number of a set of places
  std::size_t users = 0;   // pipelines

  friend bool operator<(const Sent& a, const Sent& b) {
    return std::tie(a.needed, a.users) < std::tie(b.needed, b.users);
  }
};
using SentByProducer = std::map<Module, Sent>;

class Needs {
 public:
  Sent start(const Places& needed, std::size_t users) { return {known_.number_of(needed), users}; }

  // Components that both send more once all pipelines of both need what some of them need.
  std::size_t growth(const Sent& a, const Sent& b) const {
    if (a.needed == b.needed) return 0;
    const Places &one = known_[a.needed], &other = known_[b.needed];
    const std::size_t both = (one | other).count();
    return (both - one.count()) * a.users + (both - other.count()) * b.users;
  }
  std::size_t growth(const SentByProducer& a, const SentByProducer& b) const {
    if (a.size() > b.size()) return growth(b, a);
    std::size_t sum = 0;
    for (const auto& [producer, sent] : a)
      if (const auto other = b.find(producer); other != b.end()) sum += growth(sent, other->second);
    return sum;
  }

  void add(Sent& to, const Sent& more) {
    if (to.users == 0)
      to.needed = more.needed;
    else if (to.needed != more.needed)
      to.needed = known_.number_of(known_[to.needed] | known_[more.needed]);
    to.users += more.users;
  }

 private:
  KnownPlaces known_;
};

struct Growing {
  Cluster pipelines;                     // in no order once it is merged
  std::map<Module, VariantId> as_alone;  // all its modules; the variants of a cluster that is merged are its own
  SentByProducer sent;                   // of producers that another cluster has, too: others cost nothing to merge
  bool is_merged = false;
  std::size_t times_merged = 0;
};

// Variants of a module that lose the same with any other one.
struct LossKind {
  std::size_t own_growth = 0;  // of the clusters of a variant
  SentByProducer sent;
  std::map<ClusterId, VariantId> members;  // by first cluster

  auto identity() const { return std::pair(own_growth, sent); }
};

// The variants of one module, and which two of them lose least as one.
class ModuleVariants {
 public:
  void insert(VariantId variant, ClusterId cluster) {
    clusters_[variant].insert(cluster);
    changed_.insert(variant);
  }
  void erase(VariantId variant, ClusterId cluster) {
    const auto found = clusters_.find(variant);
    found->second.erase(cluster);
    if (found->second.empty()) clusters_.erase(found);
    changed_.insert(variant);
  }
  std::size_t size() const { return clusters_.size(); }

  // The clusters of the two that lose least, ascending.
  Cluster cheapest_pair(const std::vector<Growing>& clusters, Needs& needs) {
    find_changed(clusters);
    for (const VariantId variant : changed_) forget(variant);
    for (const VariantId variant : changed_)
      if (clusters_.count(variant) != 0) add(variant, clusters, needs);
    changed_.clear();
    std::pair<ClusterId, ClusterId> best;
    std::pair<VariantId, VariantId> variants;
    bool found = false;
    for (const auto& [one, other] : pairs_.begin()->second) {
      const auto a = kinds_.at(one).members.begin();
      const auto b = one == other ? std::next(a) : kinds_.at(other).members.begin();
      const auto places = std::minmax(a->first, b->first);
      if (found && std::pair<ClusterId, ClusterId>(places) >= best) continue;
      found = true;
      best = places;
      variants = {a->second, b->second};
    }
    return clusters_of(variants);
  }

 private:
  using KindId = std::size_t;
  struct Entry {
    KindId kind = 0;
    ClusterId first = 0;
    std::size_t times_merged = 0;
  };

  Cluster clusters_of(const std::pair<VariantId, VariantId>& variants) const {
    std::set<ClusterId> both = clusters_.at(variants.first);
    both.insert(clusters_.at(variants.second).begin(), clusters_.at(variants.second).end());
    return {both.begin(), both.end()};
  }

  // A merged cluster does not tell its modules that it has grown; merged variants are few, and come first.
  void find_changed(const std::vector<Growing>& clusters) {
    for (auto merged = clusters_.begin(); merged != clusters_.end() && merged->first < clusters.size(); ++merged)
      if (const auto entry = entries_.find(merged->first);
          entry != entries_.end() && entry->second.times_merged != clusters[merged->first].times_merged)
        changed_.insert(merged->first);
  }

  void forget(VariantId variant) {
    const auto entry = entries_.find(variant);
    if (entry == entries_.end()) return;
    const KindId id = entry->second.kind;
    LossKind& kind = kinds_.at(id);
    kind.members.erase(entry->second.first);
    entries_.erase(entry);
    if (kind.members.size() == 1) forget_pair(2 * kind.own_growth, id, id);
    if (!kind.members.empty()) return;
    for (const auto& [other, loss] : losses_.at(id)) {
      forget_pair(loss, std::min(id, other), std::max(id, other));
      losses_.at(other).erase(id);
    }
    losses_.erase(id);
    known_kinds_.erase(kind.identity());
    kinds_.erase(id);
  }

  void add(VariantId variant, const std::vector<Growing>& clusters, Needs& needs) {
    const std::set<ClusterId>& own = clusters_.at(variant);
    LossKind kind;
    for (const ClusterId cluster : own) {
      kind.own_growth += needs.growth(kind.sent, clusters[cluster].sent);
      for (const auto& [producer, sent] : clusters[cluster].sent) needs.add(kind.sent[producer], sent);
    }
    const auto [place, is_new] = known_kinds_.try_emplace(kind.identity(), next_kind_);
    const KindId id = place->second;
    if (is_new) add_kind(next_kind_++, std::move(kind), needs);
    LossKind& known = kinds_.at(id);
    known.members.emplace(*own.begin(), variant);
    if (known.members.size() == 2) pairs_[2 * known.own_growth].emplace(id, id);
    entries_[variant] = {id, *own.begin(), clusters[*own.begin()].times_merged};
  }

  void add_kind(KindId id, LossKind kind, const Needs& needs) {
    std::map<KindId, std::size_t>& own = losses_[id];
    for (const auto& [other, existing] : kinds_) {
      const std::size_t loss = kind.own_growth + existing.own_growth + needs.growth(kind.sent, existing.sent);
      pairs_[loss].emplace(other, id);
      own.emplace(other, loss);
      losses_[other].emplace(id, loss);
    }
    kinds_.emplace(id, std::move(kind));
  }

  void forget_pair(std::size_t loss, KindId one, KindId other) {
    const auto pairs = pairs_.find(loss);
    pairs->second.erase({one, other});
    if (pairs->second.empty()) pairs_.erase(pairs);
  }

  std::map<VariantId, std::set<ClusterId>> clusters_;
  std::set<VariantId> changed_;  // since kinds were looked at
  std::map<VariantId, Entry> entries_;
  std::map<KindId, LossKind> kinds_;
  std::map<std::pair<std::size_t, SentByProducer>, KindId> known_kinds_;
  KindId next_kind_ = 0;
  std::map<std::size_t, std::set<std::pair<KindId, KindId>>>
      pairs_;                                               // by loss; a kind with itself if it has two members
  std::map<KindId, std::map<KindId, std::size_t>> losses_;  // of pairs of different kinds
};

class Merging {
 public:
  Merging(const std::vector<link::GroupPipeline>& pipelines, const std::vector<AloneResult>& alone) {
    const std::vector<Cluster> equal = equal_pipelines(pipelines);
    std::map<std::string, VariantId> results;  // behind the numbers of clusters
    for (const Cluster& cluster : equal) {
      Growing growing;
      growing.pipelines = cluster;
      for (const auto& [module, result] : alone[cluster.front()].result)
        growing.as_alone[module] = results.try_emplace(result, equal.size() + results.size()).first->second;
      for (const auto& [module, places] : sent_by(cluster, alone)) growing.sent[module] = places;
      clusters_.push_back(std::move(growing));
    }
    for (const Growing& cluster : clusters_)
      for (const auto& [producer, sent] : cluster.sent) ++clusters_with_[producer];
    for (ClusterId id = 0; id < clusters_.size(); ++id) {
      forget_exclusive(clusters_[id]);
      for (const auto& [module, variant] : clusters_[id].as_alone) modules_[module].insert(variant, id);
    }
    for (const auto& [module, variants] : modules_) by_size_.emplace(variants.size(), module);
  }

  std::vector<Cluster> clusters_of(std::size_t limit) {
    while (!by_size_.empty() && by_size_.begin()->size > limit) {
      const Cluster merged = modules_.at(by_size_.begin()->module).cheapest_pair(clusters_, needs_);
      for (std::size_t i = 1; i < merged.size(); ++i) absorb(merged.front(), merged[i]);
    }
    std::vector<Cluster> result;
    for (Growing& cluster : clusters_) {
      if (cluster.pipelines.empty()) continue;
      std::sort(cluster.pipelines.begin(), cluster.pipelines.end());
      result.push_back(std::move(cluster.pipelines));
    }
    return result;
  }

 private:
  // Most variants first, then the lowest module.
  struct Sized {
    std::size_t size;
    Module module;
    Sized(std::size_t s, Module m) : size(s), module(m) {}
    friend bool operator<(const Sized& a, const Sized& b) {
      return std::tie(b.size, a.module) < std::tie(a.size, b.module);
    }
  };

  SentByProducer sent_by(const Cluster& cluster, const std::vector<AloneResult>& alone) {
    std::map<Module, std::pair<Places, std::size_t>> all;
    for (const std::size_t pipeline : cluster)
      for (const auto& [module, places] : alone[pipeline].kept) {
        all[module].first |= places;
        ++all[module].second;
      }
    SentByProducer sent;
    for (const auto& [module, needed] : all) sent[module] = needs_.start(needed.first, needed.second);
    return sent;
  }

  void forget_exclusive(Growing& cluster) {
    for (auto sent = cluster.sent.begin(); sent != cluster.sent.end();)
      sent = clusters_with_.at(sent->first) == 1 ? cluster.sent.erase(sent) : std::next(sent);
  }

  VariantId variant_of(ClusterId cluster, VariantId as_alone) const {
    return clusters_[cluster].is_merged ? cluster : as_alone;
  }

  // A module has the variant `now` of the cluster `to` in place of `before` of the cluster `from`.
  void replace(Module module, VariantId before, ClusterId from, ClusterId to) {
    ModuleVariants& variants = modules_.at(module);
    by_size_.erase({variants.size(), module});
    variants.erase(before, from);
    variants.insert(to, to);
    by_size_.emplace(variants.size(), module);
  }

  // Linking both together gives a variant of its own of all their modules. Takes time by the size of `other`, so that
  // thousands that one cluster absorbs take time by their number.
  void absorb(ClusterId into_id, ClusterId other_id) {
    Growing &into = clusters_[into_id], &other = clusters_[other_id];
    if (!into.is_merged)
      for (const auto& [module, variant] : into.as_alone) replace(module, variant, into_id, into_id);
    for (const auto& [module, variant] : other.as_alone) {
      replace(module, variant_of(other_id, variant), other_id, into_id);
      into.as_alone.emplace(module, variant);
    }
    into.is_merged = true;
    ++into.times_merged;
    into.pipelines.insert(into.pipelines.end(), other.pipelines.begin(), other.pipelines.end());
    for (const auto& [producer, sent] : other.sent) {
      const auto [own, is_new] = into.sent.try_emplace(producer, sent);
      if (is_new) continue;
      needs_.add(own->second, sent);
      if (--clusters_with_.at(producer) == 1) into.sent.erase(own);
    }
    other = Growing{};
  }

  Needs needs_;
  std::vector<Growing> clusters_;
  std::map<Module, std::size_t> clusters_with_;  // by producer
  std::map<Module, ModuleVariants> modules_;
  std::set<Sized> by_size_;
};

}  // namespace

std::vector<Cluster> clusters_of_few_variants(const std::vector<link::GroupPipeline>& pipelines,
                                              const std::vector<AloneResult>& alone, std::size_t max_variants) {
  return Merging(pipelines, alone).clusters_of(std::max<std::size_t>(max_variants, 1));
}

}  // namespace varylink::share
