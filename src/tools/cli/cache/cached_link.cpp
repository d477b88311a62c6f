#include "cli/cache/cached_link.h"

#include <bit>
#include <optional>
#include <sstream>

#include "base/sha256.h"
#include "base/version.h"
#include "cli/cache/group_codec.h"
#include "driver/link_group.h"
#include "driver/stage_cost.h"
#include "link/model/name_files.h"
#include "report/run_options.h"

namespace varylink::cli {
namespace {

// Entries without content beside results, in the same folder under keys of their own.
class CachedValidWords : public spirv::ValidWords {
 public:
  explicit CachedValidWords(const store::LinkCache& cache) : cache_(cache) {}

  bool knows(Stage stage, const std::string& key) override {
    const auto index = static_cast<std::size_t>(stage);
    ++cache_.use().validated[index];
    const bool known = cache_.load(with_version(key)).has_value();
    if (known) ++cache_.use().known_valid[index];
    return known;
  }
  void add(Stage, const std::string& key) override { cache_.store(with_version(key), {}); }

 private:
  static std::string with_version(const std::string& key) {
    Sha256 hash;
    for (const std::string_view part :
         {std::string_view(kVersion), std::string_view(kGitHash), std::string_view(key)}) {
      hash.add(std::uint64_t{part.size()});
      hash.add(part);
    }
    return hash.hex();
  }

  const store::LinkCache& cache_;
};

// What the bytes leave out because the group has it.
void restore_assumptions(link::LinkedGroup& linked, const link::GroupInput& group, const link::LinkOptions& options) {
  for (std::size_t i = 0; i < linked.pipelines.size(); ++i) {
    link::Assumptions& assumptions = linked.pipelines[i].assumptions;
    if (linked.pipelines[i].failure == ErrorKind::none)
      assumptions.specialization = link::frozen_constants(group, group.pipelines[i]);
    if (assumptions.layout) assumptions.layout = link::common_layout(group, options.layout);
  }
}

std::optional<link::LinkedGroup> decoded(const std::string& bytes, const link::GroupInput& group,
                                         const link::LinkOptions& options) {
  std::optional<link::LinkedGroup> known = decode(bytes);
  if (!known || known->modules.size() != group.modules.size() || known->pipelines.size() != group.pipelines.size())
    return std::nullopt;
  restore_stages(*known, group);
  restore_assumptions(*known, group, options);
  return known;
}

link::LinkedGroup link_or_load(const link::GroupInput& group, const std::string& key, const link::LinkOptions& options,
                               const ResultStores& stores) {
  const store::LinkCache* const cache = stores.cache;
  link::LinkOptions with_known = options;
  if (stores.memo) with_known.valid_words = &stores.memo->valid_words();
  if (!cache) return driver::link_group(group, with_known);
  ++cache->use().results;
  if (const auto bytes = cache->load(key))
    if (std::optional<link::LinkedGroup> known = decoded(*bytes, group, options)) {
      ++cache->use().known_results;
      return std::move(*known);
    }
  CachedValidWords valid_words(*cache);
  with_known.valid_words = &valid_words;
  link::LinkedGroup linked = driver::link_group(group, with_known);
  cache->store(key, encode(linked));
  return linked;
}

link::LinkedGroup link_or_recall(const link::GroupInput& group, const std::string& key,
                                 const link::LinkOptions& options, const ResultStores& stores) {
  // Dumps are made while linking.
  if (options.dump) return driver::link_group(group, options);
  if (!stores.memo) return link_or_load(group, key, options, stores);
  RunMemo::Answer answer = stores.memo->load_or_claim(key);
  if (answer.bytes)
    if (std::optional<link::LinkedGroup> known = decoded(*answer.bytes, group, options)) return std::move(*known);
  link::LinkedGroup linked = link_or_load(group, key, options, stores);
  if (answer.claim) answer.claim->store(encode(linked));
  return linked;
}

// What it says, not what it is called: files with one name may say different things.
void add_profile(Sha256& hash, const analysis::CostProfile& profile) {
  for (const analysis::ClassCost& each : profile.classes) {
    hash.add(std::bit_cast<std::uint64_t>(each.cost));
    hash.add(std::uint64_t{each.delay});
  }
  hash.add(std::uint64_t{profile.delay_into_slow_units});
  hash.add(std::bit_cast<std::uint64_t>(profile.fragments_per_vertex));
  hash.add(std::uint64_t{profile.register_budget});
  hash.add(std::bit_cast<std::uint64_t>(profile.uniform_limit));
  hash.add(std::bit_cast<std::uint64_t>(profile.uniform_share));
}

std::string cost_key(const link::StageInput& stage, const analysis::CostProfile& profile) {
  const std::string tools = spirv::tools_version();
  Sha256 hash;
  for (const std::string_view part :
       {std::string_view("cost"), std::string_view(kVersion), std::string_view(kGitHash), short_name(stage.stage),
        std::string_view(stage.entry_point), std::string_view(tools)}) {
    hash.add(std::uint64_t{part.size()});
    hash.add(part);
  }
  add_profile(hash, profile);
  hash.add(std::span(stage.words));
  return hash.hex();
}

// "instructions slots path live", then operations by class, all and uniform; or nothing for a stage that cannot be
// measured.
std::string encode(const std::optional<analysis::StageCost>& cost) {
  if (!cost) return {};
  std::string text = std::to_string(cost->instructions) + " " + std::to_string(cost->slots) + " " +
                     std::to_string(cost->critical_path) + " " + std::to_string(cost->peak_live);
  for (const auto* counts : {&cost->operations.all, &cost->operations.uniform})
    for (const std::uint32_t count : *counts) text += " " + std::to_string(count);
  return text;
}

std::optional<analysis::StageCost> cost_of(const std::string& text, const analysis::CostProfile& profile) {
  std::istringstream in(text);
  analysis::StageCost cost;
  in >> cost.instructions >> cost.slots >> cost.critical_path >> cost.peak_live;
  for (auto* counts : {&cost.operations.all, &cost.operations.uniform})
    for (std::uint32_t& count : *counts) in >> count;
  if (!in) return std::nullopt;
  cost.work = analysis::work_of(cost.operations, profile);
  return cost;
}

}  // namespace

std::string cache_key(const link::GroupInput& group, const link::LinkOptions& options) {
  Sha256 hash;
  const auto add_text = [&](std::string_view text) {
    hash.add(std::uint64_t{text.size()});
    hash.add(text);
  };
  add_text(kVersion);
  add_text(kGitHash);
  add_text(spirv::tools_version());
  const auto named = report::options_that_matter(options);
  hash.add(std::uint64_t{named.size()});
  for (const auto& [name, value] : named) {
    add_text(name);
    add_text(value);
  }
  add_profile(hash, options.profile);
  hash.add(std::uint64_t{group.modules.size()});
  for (const link::StageInput& module : group.modules) {
    add_text(short_name(module.stage));
    add_text(module.entry_point);
    hash.add(std::uint64_t{module.words.size()});
    hash.add(std::span(module.words));
    if (!options.keep_spec_ids) continue;
    hash.add(std::uint64_t{module.specialization.size()});
    for (const auto& [id, value] : module.specialization) hash.add(std::uint64_t{id});
    hash.add(std::uint64_t{module.unspecialized.size()});
    hash.add(std::span(module.unspecialized));
  }
  hash.add(std::uint64_t{group.pipelines.size()});
  for (const link::GroupPipeline& pipeline : group.pipelines) {
    add_text(state::to_json(pipeline.state));
    add_text(link::text(pipeline.layout));
    hash.add(std::uint64_t{pipeline.modules.size()});
    for (const std::size_t module : pipeline.modules) hash.add(std::uint64_t{module});
  }
  return hash.hex();
}

link::LinkedGroup link_by_cache(const link::GroupInput& group, const std::string& key, const link::LinkOptions& options,
                                const ResultStores& stores) {
  link::LinkedGroup linked = link_or_recall(group, key, options, stores);
  link::name_files(linked.pipelines, group.modules);
  return linked;
}

std::optional<analysis::StageCost> cost_by_cache(const link::StageInput& stage, const analysis::CostProfile& profile,
                                                 const ResultStores& stores) {
  if (!stores.cache && !stores.memo) return driver::stage_cost(stage, profile);
  const std::string key = cost_key(stage, profile);
  RunMemo::Answer answer = stores.memo ? stores.memo->load_or_claim(key) : RunMemo::Answer{};
  if (answer.bytes) return cost_of(*answer.bytes, profile);
  std::optional<std::string> known = stores.cache ? stores.cache->load(key) : std::nullopt;
  if (!known) {
    known = encode(driver::stage_cost(stage, profile));
    if (stores.cache) stores.cache->store(key, *known);
  }
  if (answer.claim) answer.claim->store(*known);
  return cost_of(*known, profile);
}

}  // namespace varylink::cli
