#include "cli/shared_batch.h"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <tuple>

#include "base/sha256.h"
#include "cli/batch.h"
#include "cli/cached_link.h"
#include "cli/pipeline_job.h"
#include "driver/clusters.h"

namespace varylink::cli {
namespace {

using driver::Cluster;
using link::GroupInput;

class SharedBatch {
 public:
  using Take = std::function<void(std::size_t, LinkOutcome&&)>;

  SharedBatch(std::span<const PipelineSource> sources, const LinkSettings& settings, unsigned jobs)
      : settings_(settings), jobs_(jobs), loaded_(sources.size(), false) {
    for (const PipelineSource& source : sources) jobs_of_.push_back(std::make_unique<PipelineJob>(source, settings));
  }

  void run(bool keys_only, const Take& take) {
    load_all();
    const std::vector<Cluster> groups = groups_of_shard();
    std::vector<bool> ready(jobs_of_.size(), false), ours(jobs_of_.size(), false);
    for (const Cluster& group : groups)
      for (const std::size_t pipeline : group) ours[pipeline] = true;
    std::size_t next = 0;  // pipelines are handed out in order, as soon as all before them have been
    const auto deliver = [&](std::size_t index) {
      for (const std::size_t pipeline : groups[index]) ready[pipeline] = true;
      for (; next < ready.size() && (ready[next] || !ours[next]); ++next) {
        if (ours[next]) take(next, jobs_of_[next]->take());
        jobs_of_[next].reset();
      }
    };
    run_in_order(
        groups.size(), jobs_, [&](std::size_t index) { process(groups[index], keys_only); }, deliver);
  }

 private:
  void load_all() {
    std::vector<char> loaded(jobs_of_.size(), 0);
    run_in_order(
        jobs_of_.size(), jobs_, [&](std::size_t index) { loaded[index] = jobs_of_[index]->load() ? 1 : 0; },
        [&](std::size_t index) { add_pipeline(index, loaded[index] != 0); });
  }

  // Modules are the same if their words, stage and entry point are, whatever their files are called.
  void add_pipeline(std::size_t index, bool loaded) {
    loaded_[index] = loaded;
    link::GroupPipeline& pipeline = pipelines_.emplace_back();
    if (!loaded) return;
    const link::PipelineInput& input = jobs_of_[index]->pipeline();
    pipeline.name = input.name;
    pipeline.no_fragment = input.no_fragment;
    for (const link::StageInput& stage : input.stages) {
      const auto identity = std::tuple(stage.stage, stage.entry_point, content_hash(stage.words));
      pipeline.modules.push_back(known_.emplace(identity, known_.size()).first->second);
    }
  }

  std::vector<Cluster> groups() const {
    if (settings_.sharing == Sharing::specialize) return driver::equal_pipelines(pipelines_);
    if (settings_.sharing != Sharing::none) return driver::connected_pipelines(pipelines_);
    std::vector<Cluster> single;
    for (std::size_t i = 0; i < pipelines_.size(); ++i) single.push_back({i});
    return single;
  }

  std::vector<Cluster> groups_of_shard() const {
    const std::vector<Cluster> all = groups();
    std::vector<Cluster> ours;
    for (std::size_t i = settings_.shard.index; i < all.size(); i += settings_.shard.count) ours.push_back(all[i]);
    return ours;
  }

  // What is linked together. Equal pipelines are one pipeline of it.
  struct Group {
    GroupInput input;
    std::vector<std::size_t> places;  // by member of the cluster: its pipeline in `input`
  };

  Group group_of(const Cluster& cluster) const {
    Group group;
    std::map<std::size_t, std::size_t> modules;                             // module -> position in the group
    std::map<std::pair<std::vector<std::size_t>, bool>, std::size_t> same;  // modules of a pipeline -> its position
    for (const std::size_t index : cluster) {
      link::GroupPipeline pipeline{pipelines_[index].name, {}, pipelines_[index].no_fragment};
      for (std::size_t i = 0; i < pipelines_[index].modules.size(); ++i) {
        const auto [place, is_new] = modules.emplace(pipelines_[index].modules[i], group.input.modules.size());
        if (is_new) group.input.modules.push_back(jobs_of_[index]->pipeline().stages[i]);
        pipeline.modules.push_back(place->second);
      }
      const auto [place, is_new] =
          same.emplace(std::pair(pipeline.modules, pipeline.no_fragment), group.input.pipelines.size());
      group.places.push_back(place->second);
      if (is_new) group.input.pipelines.push_back(std::move(pipeline));
    }
    return group;
  }

  void process(const Cluster& group, bool keys_only) {
    const auto fail_all = [&](const char* what) {
      for (const std::size_t pipeline : group) jobs_of_[pipeline]->fail_internally(what);
    };
    try {
      if (!loaded_[group.front()]) return;
      if (keys_only)
        tell_key(group);
      else if (settings_.sharing == Sharing::cluster)
        link_clusters(group);
      else
        link_together(group);
    } catch (const std::exception& error) {
      fail_all(error.what());
    } catch (...) {
      fail_all("unknown exception");
    }
  }

  void tell_key(const Cluster& group) {
    const std::string key = cache_key(group_of(group).input, settings_.options);
    for (const std::size_t pipeline : group) jobs_of_[pipeline]->set_key(key);
  }

  const LinkCache* cache() const { return settings_.cache ? &*settings_.cache : nullptr; }

  void link_together(const Cluster& cluster) {
    const Group group = group_of(cluster);
    const std::string key = cache_key(group.input, settings_.options);
    const link::LinkedGroup linked = link_by_cache(group.input, settings_.options, cache());
    for (std::size_t i = 0; i < cluster.size(); ++i)
      jobs_of_[cluster[i]]->finish(linked.pipelines[group.places[i]], key);
  }

  driver::AloneResult link_alone(std::size_t index) const {
    driver::AloneResult result;
    const link::LinkedGroup linked = link_by_cache(group_of({index}).input, settings_.options, cache());
    const link::LinkedPipeline& pipeline = linked.pipelines.front();
    const auto module_of = [&](Stage stage) {
      const auto& stages = jobs_of_[index]->pipeline().stages;
      const auto found = std::find_if(stages.begin(), stages.end(), [&](const auto& s) { return s.stage == stage; });
      return pipelines_[index].modules[static_cast<std::size_t>(found - stages.begin())];
    };
    for (const link::StageOutput& stage : pipeline.stages)
      result.result[module_of(stage.stage)] = content_hash(stage.words);
    for (const link::InterfaceReport& interface : pipeline.interfaces) {
      driver::Places& kept = result.kept[module_of(interface.producer)];
      for (const link::ComponentRecord& record : interface.components) {
        const std::size_t place = record.old_slot.location * 4 + record.old_slot.component;
        if (record.fate == link::Fate::kept && place < kept.size()) kept.set(place);
      }
    }
    return result;
  }

  void link_clusters(const Cluster& group) {
    std::vector<link::GroupPipeline> pipelines;
    std::vector<driver::AloneResult> alone;
    for (const std::size_t index : group) {
      pipelines.push_back(pipelines_[index]);
      alone.push_back(link_alone(index));
    }
    for (const Cluster& local : driver::clusters_of_few_variants(pipelines, alone, settings_.max_variants)) {
      Cluster cluster;
      for (const std::size_t position : local) cluster.push_back(group[position]);
      link_together(cluster);
    }
  }

  const LinkSettings& settings_;
  unsigned jobs_;
  std::vector<std::unique_ptr<PipelineJob>> jobs_of_;  // by pipeline
  std::vector<bool> loaded_;
  std::vector<link::GroupPipeline> pipelines_;
  std::map<std::tuple<Stage, std::string, std::string>, std::size_t> known_;  // modules, numbered
};

}  // namespace

void link_shared(std::span<const PipelineSource> sources, const LinkSettings& settings, unsigned jobs,
                 const std::function<void(std::size_t, LinkOutcome&&)>& take) {
  SharedBatch(sources, settings, jobs).run(false, take);
}

void keys_of(std::span<const PipelineSource> sources, const LinkSettings& settings, unsigned jobs,
             const std::function<void(std::size_t, LinkOutcome&&)>& take) {
  SharedBatch(sources, settings, jobs).run(true, take);
}

}  // namespace varylink::cli
