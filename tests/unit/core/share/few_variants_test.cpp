// The clusters that keep modules to few variants are those that merging the cheapest two variants step by step gives.
#include "share/few_variants.h"

#include <algorithm>
#include <optional>
#include <random>
#include <set>

#include "support/catch.h"

namespace varylink::share {
namespace {

struct Manifest {
  std::vector<link::GroupPipeline> pipelines;
  std::vector<AloneResult> alone;

  // A result differs where what is sent does, and by `flavour`.
  void add(std::size_t vertex, std::size_t fragment, unsigned long long needed, std::size_t flavour) {
    link::GroupPipeline& pipeline = pipelines.emplace_back();
    pipeline.modules = {vertex, fragment};
    for (std::size_t i = 0; i + 1 < pipelines.size(); ++i)
      if (pipelines[i].modules == pipeline.modules) return alone.push_back(AloneResult(alone[i]));
    const std::string result = std::to_string(needed) + "/" + std::to_string(flavour);
    alone.push_back({{{vertex, Places(needed)}}, {{vertex, result}, {fragment, result}}});
  }
};

// By the definition: all pairs of variants are compared at each step.
struct Part {
  Cluster pipelines;
  std::map<std::size_t, std::string> variant;
};

std::size_t components(const std::vector<std::size_t>& pipelines, const Manifest& manifest) {
  std::map<std::size_t, std::pair<Places, std::size_t>> sent;
  for (const std::size_t pipeline : pipelines)
    for (const auto& [module, places] : manifest.alone[pipeline].kept) {
      sent[module].first |= places;
      ++sent[module].second;
    }
  std::size_t sum = 0;
  for (const auto& [module, needed] : sent) sum += needed.first.count() * needed.second;
  return sum;
}

using Variants = std::vector<std::vector<std::size_t>>;  // positions of parts

Variants variants_of(const std::vector<Part>& parts, std::size_t module) {
  std::vector<std::string> names;
  Variants variants;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto own = parts[i].variant.find(module);
    if (own == parts[i].variant.end()) continue;
    const auto place = std::find(names.begin(), names.end(), own->second);
    if (place == names.end()) variants.emplace_back();
    variants[static_cast<std::size_t>(place - names.begin())].push_back(i);
    if (place == names.end()) names.push_back(own->second);
  }
  return variants;
}

std::set<std::size_t> cheapest(const std::vector<Part>& parts, const Variants& variants, const Manifest& manifest) {
  std::optional<std::size_t> least;
  std::set<std::size_t> best;
  for (std::size_t i = 0; i < variants.size(); ++i)
    for (std::size_t j = i + 1; j < variants.size(); ++j) {
      std::set<std::size_t> both(variants[i].begin(), variants[i].end());
      both.insert(variants[j].begin(), variants[j].end());
      Cluster together;
      std::size_t apart = 0;
      for (const std::size_t part : both) {
        together.insert(together.end(), parts[part].pipelines.begin(), parts[part].pipelines.end());
        apart += components(parts[part].pipelines, manifest);
      }
      const std::size_t loss = components(together, manifest) - apart;
      if (least && loss >= *least) continue;
      least = loss;
      best = both;
    }
  return best;
}

void merge(std::vector<Part>& parts, const std::set<std::size_t>& merged) {
  Part& into = parts[*merged.begin()];
  for (auto other = merged.rbegin(); *other != *merged.begin(); ++other) {
    into.pipelines.insert(into.pipelines.end(), parts[*other].pipelines.begin(), parts[*other].pipelines.end());
    into.variant.insert(parts[*other].variant.begin(), parts[*other].variant.end());
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(*other));
  }
  std::sort(into.pipelines.begin(), into.pipelines.end());
  for (auto& [module, variant] : into.variant) variant = "with " + std::to_string(into.pipelines.front());
}

std::vector<Cluster> by_definition(const Manifest& manifest, std::size_t limit) {
  std::vector<Part> parts;
  for (const Cluster& equal : equal_pipelines(manifest.pipelines))
    parts.push_back({equal, manifest.alone[equal.front()].result});
  while (true) {
    std::set<std::size_t> modules;
    for (const Part& part : parts)
      for (const auto& [module, variant] : part.variant) modules.insert(module);
    Variants worst;
    for (const std::size_t module : modules)
      if (Variants variants = variants_of(parts, module); variants.size() > std::max(limit, worst.size()))
        worst = std::move(variants);
    if (worst.empty()) break;
    merge(parts, cheapest(parts, worst, manifest));
  }
  std::vector<Cluster> clusters;
  for (const Part& part : parts) clusters.push_back(part.pipelines);
  std::sort(clusters.begin(), clusters.end());
  return clusters;
}

}  // namespace

TEST_CASE("few variants: the clusters are those of merging step by step", "[share]") {
  std::mt19937 random(1);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    Manifest manifest;
    const std::size_t vertex = 1 + below(4), fragment = 1 + below(12), bits = 1 + below(5), flavours = 1 + below(4);
    for (std::size_t i = 0, count = 1 + below(30); i < count; ++i)
      manifest.add(below(vertex), 100 + below(fragment), below(std::size_t{1} << bits), below(flavours));
    for (const std::size_t limit : {1u, 2u, 3u, 6u})
      REQUIRE(clusters_of_few_variants(manifest.pipelines, manifest.alone, limit) == by_definition(manifest, limit));
  }
}

TEST_CASE("few variants: tens of thousands of pipelines of one vertex shader take seconds", "[share]") {
  Manifest manifest;
  for (std::size_t i = 0; i < 30000; ++i) {
    link::GroupPipeline& pipeline = manifest.pipelines.emplace_back();
    pipeline.modules = {0, i + 1};
    const Places needed(i % 7 + 1);
    const std::string result = std::to_string(i);
    manifest.alone.push_back({{{0, needed}}, {{0, result}, {i + 1, result}}});
  }
  const std::vector<Cluster> clusters = clusters_of_few_variants(manifest.pipelines, manifest.alone, 2);
  CHECK(clusters.size() == 2);
}

}  // namespace varylink::share
