#include "cli/batch/shared_batch.h"

#include <exception>
#include <memory>

#include "cli/batch/module_words.h"
#include "cli/batch/pipeline_job.h"
#include "cli/batch/run_in_order.h"
#include "cli/batch/shards.h"
#include "cli/cache/cached_link.h"
#include "share/shared_link.h"

namespace varylink::cli {
namespace {

using share::Bundle;
using share::Cluster;

class SharedBatch {
 public:
  using Take = std::function<void(std::size_t, LinkOutcome&&)>;

  SharedBatch(std::span<const PipelineSource> sources, const LinkSettings& settings, unsigned jobs)
      : settings_(settings),
        jobs_(jobs),
        shared_(
            settings.shared_request(), settings.options, words_,
            [this](const auto& group, const auto& options, std::string* key) {
              *key = cache_key(group, options);
              return link_by_cache(group, *key, options, settings_.stores());
            },
            settings.goals(),
            [this](std::size_t pipeline, const auto& linked, const auto& trial) {
              return judge(pipeline, linked, trial);
            }) {
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
  // On disk, while nobody works with them.
  class Words : public share::ModuleStore {
   public:
    void keep(std::size_t module, const std::vector<std::uint32_t>& words) override { words_.keep(module, words); }
    std::vector<std::uint32_t> words(std::size_t module) const override { return words_.words(module); }

   private:
    ModuleWords words_;
  };

  void load_all() {
    loaded_.assign(jobs_of_.size(), 0);
    run_in_order(
        jobs_of_.size(), jobs_, [&](std::size_t index) { loaded_[index] = jobs_of_[index]->load() ? 1 : 0; },
        [&](std::size_t index) {
          shared_.add(loaded_[index] != 0 ? &jobs_of_[index]->pipeline() : nullptr);
          jobs_of_[index]->release_words();
        });
  }

  std::vector<Bundle> bundles_of_shard() const {
    std::vector<Bundle> all = shared_.bundles(), ours;
    std::vector<std::uint64_t> costs;
    for (const Bundle& bundle : all) costs.push_back(shared_.words_of(bundle));
    for (const std::size_t i : items_of_shard(costs, settings_.shard.index, settings_.shard.count))
      ours.push_back(std::move(all[i]));
    return ours;
  }

  driver::Goals judge(std::size_t pipeline, const link::LinkedPipeline& linked, const share::SharedLink::Trial& trial) {
    PipelineJob& job = *jobs_of_[pipeline];
    if (trial.attempt) job.begin(*trial.attempt, trial.wanted);
    if (settings_.goals() == 0) return 0;
    job.restore_words([&](std::size_t i) { return shared_.words(pipeline, i); });
    const driver::Goals missed = job.judge(linked);
    job.release_words();
    return missed;
  }

  void process(const Bundle& bundle, bool keys_only) {
    try {
      if (keys_only) return tell_keys(bundle);
      shared_.link(bundle, [&](std::size_t pipeline, link::LinkedPipeline&& linked, const std::string& key) {
        PipelineJob& job = *jobs_of_[pipeline];
        job.restore_words([&](std::size_t i) { return shared_.words(pipeline, i); });
        job.finish(std::move(linked), key);
        job.park(parked_);
      });
    } catch (...) {
      for (const Cluster& group : bundle)
        for (const std::size_t pipeline : group) jobs_of_[pipeline]->fail_by(std::current_exception());
    }
  }

  void tell_keys(const Bundle& bundle) {
    for (const Cluster& group : bundle) {
      if (loaded_[group.front()] == 0) continue;
      const std::string key = cache_key(shared_.input_of(group), settings_.options);
      for (const std::size_t pipeline : group) jobs_of_[pipeline]->set_key(key);
    }
  }

  const LinkSettings& settings_;
  unsigned jobs_;
  std::vector<std::unique_ptr<PipelineJob>> jobs_of_;  // by pipeline
  std::vector<char> loaded_;
  Words words_;
  ScratchFile parked_;  // of pipelines that others in front of them are waited for
  share::SharedLink shared_;
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
