#include "cli/batch/shared_batch.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

#include "base/sha256.h"
#include "cli/batch/clusters.h"
#include "cli/batch/invariance_groups.h"
#include "cli/batch/module_words.h"
#include "cli/batch/pipeline_job.h"
#include "cli/batch/run_in_order.h"
#include "cli/batch/shards.h"
#include "cli/cache/cached_link.h"

namespace varylink::cli {
namespace {

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
    const std::vector<Bundle> bundles = bundles_of_shard();
    std::vector<bool> ready(jobs_of_.size(), false), ours(jobs_of_.size(), false);
    for (const Bundle& bundle : bundles)
      for (const Cluster& group : bundle)
        for (const std::size_t pipeline : group) ours[pipeline] = true;
    std::size_t next = 0;  // pipelines are handed out in order, as soon as all before them have been
    const auto finish = [&](std::size_t index) {
      for (const Cluster& group : bundles[index])
        for (const std::size_t pipeline : group) ready[pipeline] = true;
      for (; next < ready.size() && (ready[next] || !ours[next]); ++next) {
        if (ours[next]) take(next, jobs_of_[next]->take());
        jobs_of_[next].reset();
      }
    };
    run_in_order(
        bundles.size(), jobs_, [&](std::size_t index) { process(bundles[index], keys_only); }, finish);
  }

 private:
  // Groups with a say in each other's results: pipelines of one --invariance-group are among them.
  using Bundle = std::vector<Cluster>;

  // What is linked together. Equal pipelines are one pipeline of it.
  struct Group {
    GroupInput input;
    std::vector<std::size_t> places;  // by member of the cluster: its pipeline in `input`
  };

  struct LinkedCluster {
    Cluster cluster;
    Group group;
    std::string key;
    link::LinkedGroup linked;
    bool passed_through = false;  // as it came, for the sake of an invariance group
  };

  // What there is to say about a pipeline besides the result of linking.
  using Notes = std::map<std::size_t, std::pair<std::vector<link::Remark>, Diagnostics>>;

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
    pipeline.state = input.state;
    pipeline.layout = input.layout;
    for (const link::StageInput& stage : input.stages) {
      const auto identity = std::tuple(stage.stage, stage.entry_point, content_hash(stage.words));
      const auto [place, is_new] = known_.emplace(identity, known_.size());
      pipeline.modules.push_back(place->second);
      if (!is_new) continue;
      words_.keep(place->second, stage.words);
      sizes_.push_back(stage.words.size());
    }
    jobs_of_[index]->release_words();
  }

  void restore_words(std::size_t pipeline) const {
    jobs_of_[pipeline]->restore_words([&](std::size_t i) { return words_.words(pipelines_[pipeline].modules[i]); });
  }

  std::vector<Cluster> groups() const {
    if (settings_.sharing == Sharing::specialize) return equal_pipelines(pipelines_);
    if (settings_.sharing != Sharing::none) return connected_pipelines(pipelines_);
    std::vector<Cluster> single;
    for (std::size_t i = 0; i < pipelines_.size(); ++i) single.push_back({i});
    return single;
  }

  bool is_in(std::size_t pipeline, const std::vector<std::string>& names) const {
    return loaded_[pipeline] && std::find(names.begin(), names.end(), pipelines_[pipeline].name) != names.end();
  }

  std::vector<Bundle> bundles() const {
    std::vector<Bundle> bundles;
    for (Cluster& group : groups()) bundles.push_back({std::move(group)});
    for (const std::vector<std::string>& names : settings_.invariance_groups) {
      const auto has_member = [&](const Bundle& bundle) {
        return std::any_of(bundle.begin(), bundle.end(), [&](const Cluster& group) {
          return std::any_of(group.begin(), group.end(), [&](std::size_t pipeline) { return is_in(pipeline, names); });
        });
      };
      const auto first = std::find_if(bundles.begin(), bundles.end(), has_member);
      for (auto other = first; other != bundles.end(); ++other) {
        if (other == first || !has_member(*other)) continue;
        first->insert(first->end(), std::make_move_iterator(other->begin()), std::make_move_iterator(other->end()));
        other->clear();
      }
    }
    bundles.erase(std::remove(bundles.begin(), bundles.end(), Bundle{}), bundles.end());
    return bundles;
  }

  std::vector<Bundle> bundles_of_shard() const {
    std::vector<Bundle> all = bundles(), ours;
    std::vector<std::uint64_t> costs;
    for (const Bundle& bundle : all) costs.push_back(words_of(bundle));
    for (const std::size_t i : items_of_shard(costs, settings_.shard.index, settings_.shard.count))
      ours.push_back(std::move(all[i]));
    return ours;
  }

  // Of its distinct modules.
  std::uint64_t words_of(const Bundle& bundle) const {
    std::set<std::size_t> modules;
    for (const Cluster& group : bundle)
      for (const std::size_t pipeline : group)
        modules.insert(pipelines_[pipeline].modules.begin(), pipelines_[pipeline].modules.end());
    return std::accumulate(modules.begin(), modules.end(), std::uint64_t{0},
                           [&](std::uint64_t sum, std::size_t module) { return sum + sizes_[module]; });
  }

  Group group_of(const Cluster& cluster) const {
    Group group;
    std::map<std::size_t, std::size_t> modules;  // module -> position in the group
    // Modules, state and layout of a pipeline -> its position in the group.
    std::map<std::tuple<std::vector<std::size_t>, analysis::PipelineState, std::string>, std::size_t> same;
    for (const std::size_t index : cluster) {
      link::GroupPipeline pipeline{pipelines_[index].name, {}, pipelines_[index].state, pipelines_[index].layout};
      for (std::size_t i = 0; i < pipelines_[index].modules.size(); ++i) {
        const auto [place, is_new] = modules.emplace(pipelines_[index].modules[i], group.input.modules.size());
        if (is_new) {
          link::StageInput& module = group.input.modules.emplace_back(jobs_of_[index]->pipeline().stages[i]);
          module.words = words_.words(pipelines_[index].modules[i]);
        }
        pipeline.modules.push_back(place->second);
      }
      const auto [place, is_new] = same.emplace(
          std::tuple(pipeline.modules, pipeline.state, link::text(pipeline.layout)), group.input.pipelines.size());
      group.places.push_back(place->second);
      if (is_new) group.input.pipelines.push_back(std::move(pipeline));
    }
    return group;
  }

  void process(const Bundle& bundle, bool keys_only) {
    const auto fail_all = [&](const char* what) {
      for (const Cluster& group : bundle)
        for (const std::size_t pipeline : group) jobs_of_[pipeline]->fail_internally(what);
    };
    try {
      std::vector<LinkedCluster> linked;
      for (const Cluster& group : bundle) {
        if (!loaded_[group.front()]) continue;
        if (keys_only)
          tell_key(group);
        else if (settings_.sharing == Sharing::cluster)
          link_clusters(group, linked);
        else
          linked.push_back(link_together(group, settings_.options));
      }
      if (!settings_.invariance_groups.empty())
        for (const LinkedCluster& each : linked)
          for (const std::size_t pipeline : each.cluster) restore_words(pipeline);
      const Notes notes = settings_.invariance_groups.empty() ? Notes() : keep_positions(linked);
      for (const LinkedCluster& each : linked) finish(each, notes);
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

  LinkedCluster link_together(const Cluster& cluster, const link::LinkOptions& options) const {
    LinkedCluster result{cluster, group_of(cluster), {}, {}};
    result.key = cache_key(result.group.input, options);
    result.linked = link_by_cache(result.group.input, result.key, options, settings_.stores());
    return result;
  }

  void finish(const LinkedCluster& linked, const Notes& notes) {
    for (std::size_t i = 0; i < linked.cluster.size(); ++i) {
      link::LinkedPipeline pipeline = linked.linked.pipelines[linked.group.places[i]];
      if (const auto found = notes.find(linked.cluster[i]); found != notes.end()) {
        const auto& [remarks, warnings] = found->second;
        pipeline.remarks.insert(pipeline.remarks.end(), remarks.begin(), remarks.end());
        pipeline.diagnostics.insert(pipeline.diagnostics.end(), warnings.begin(), warnings.end());
      }
      restore_words(linked.cluster[i]);
      jobs_of_[linked.cluster[i]]->finish(std::move(pipeline), linked.key);
      jobs_of_[linked.cluster[i]]->release_words();
    }
  }

  // Passes through as they came the pipelines of invariance groups whose position code linking changed in different
  // ways. What was passed through for one group may be in another one, so all are looked at again.
  Notes keep_positions(std::vector<LinkedCluster>& linked) const {
    std::map<std::size_t, InvarianceVerdict> verdicts, passed_through;  // by group
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < settings_.invariance_groups.size(); ++i) {
        const auto& names = settings_.invariance_groups[i];
        verdicts[i] = compare_positions(members_of(names, linked), settings_.options.validator);
        if (verdicts[i].kind != InvarianceVerdict::Kind::changed || passed_through.count(i) != 0) continue;
        passed_through[i] = verdicts[i];
        again = true;
        for (LinkedCluster& each : linked)
          if (std::any_of(each.cluster.begin(), each.cluster.end(), [&](auto member) { return is_in(member, names); }))
            hand_back(each);
      }
    }
    Notes notes;
    for (const auto& [group, verdict] : verdicts) {
      const auto back = passed_through.find(group);
      note(notes, settings_.invariance_groups[group], verdict, back == passed_through.end() ? nullptr : &back->second);
    }
    return notes;
  }

  void hand_back(LinkedCluster& linked) const {
    if (linked.passed_through) return;
    link::LinkOptions options = settings_.options;
    options.level = link::Level::check;
    linked = link_together(linked.cluster, options);
    linked.passed_through = true;
  }

  std::vector<InvarianceMember> members_of(const std::vector<std::string>& names,
                                           const std::vector<LinkedCluster>& linked) const {
    std::map<std::size_t, const link::LinkedPipeline*> members;  // in the order of the manifest
    for (const LinkedCluster& each : linked)
      for (std::size_t i = 0; i < each.cluster.size(); ++i)
        if (is_in(each.cluster[i], names)) members[each.cluster[i]] = &each.linked.pipelines[each.group.places[i]];
    std::vector<InvarianceMember> list;
    for (const auto& [pipeline, result] : members)
      list.push_back({pipelines_[pipeline].name, &jobs_of_[pipeline]->pipeline(), result});
    return list;
  }

  // `reason` is why the group was passed through, nullptr if it was not.
  void note(Notes& notes, const std::vector<std::string>& names, const InvarianceVerdict& verdict,
            const InvarianceVerdict* reason) const {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    for (std::size_t i = 0; i < pipelines_.size(); ++i) {
      if (!is_in(i, names)) continue;
      auto& [remarks, warnings] = notes[i];
      if (verdict.kind != InvarianceVerdict::Kind::kept)
        warnings.push_back(make_warning("", "positions are not kept equal (" + list + "): " + verdict.reason));
      else if (reason)
        warnings.push_back(make_warning("", reason->reason + "; the pipelines are passed through as they came"));
      else
        remarks.push_back({"invariance-group", "vert", "the position code is the same in " + list});
    }
  }

  AloneResult link_alone(std::size_t index) const {
    AloneResult result;
    const link::LinkedGroup linked = link_together({index}, settings_.options).linked;
    const link::LinkedPipeline& pipeline = linked.pipelines.front();
    const auto module_of = [&](Stage stage) {
      const auto& stages = jobs_of_[index]->pipeline().stages;
      const auto found = std::find_if(stages.begin(), stages.end(), [&](const auto& s) { return s.stage == stage; });
      return pipelines_[index].modules[static_cast<std::size_t>(found - stages.begin())];
    };
    for (const link::StageOutput& stage : pipeline.stages)
      result.result[module_of(stage.stage)] = content_hash(stage.words);
    for (const link::InterfaceReport& interface : pipeline.interfaces) {
      Places& kept = result.kept[module_of(interface.producer)];
      for (const link::ComponentRecord& record : interface.components) {
        const std::size_t place = record.old_slot.location * 4 + record.old_slot.component;
        if (record.fate == link::Fate::kept && place < kept.size()) kept.set(place);
      }
    }
    return result;
  }

  void link_clusters(const Cluster& group, std::vector<LinkedCluster>& linked) const {
    std::vector<link::GroupPipeline> pipelines;
    std::vector<AloneResult> alone;
    for (const std::size_t index : group) {
      pipelines.push_back(pipelines_[index]);
      alone.push_back(link_alone(index));
    }
    for (const Cluster& local : clusters_of_few_variants(pipelines, alone, settings_.max_variants)) {
      Cluster cluster;
      for (const std::size_t position : local) cluster.push_back(group[position]);
      linked.push_back(link_together(cluster, settings_.options));
    }
  }

  const LinkSettings& settings_;
  unsigned jobs_;
  std::vector<std::unique_ptr<PipelineJob>> jobs_of_;  // by pipeline
  std::vector<bool> loaded_;
  std::vector<link::GroupPipeline> pipelines_;
  std::map<std::tuple<Stage, std::string, std::string>, std::size_t> known_;  // modules, numbered
  ModuleWords words_;                                                         // of the modules
  std::vector<std::size_t> sizes_;                                            // in words, by module
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
