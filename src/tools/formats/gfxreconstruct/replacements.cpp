#include "formats/gfxreconstruct/replacements.h"

namespace varylink::formats::gfxreconstruct {
namespace {

constexpr const char* kOtherUse = "it is in a pipeline that is not linked";
constexpr const char* kOtherResults = "its pipelines have different results of it";
constexpr const char* kPartner = "a module that it is linked with stays";

class Choice {
 public:
  Choice(const Capture& capture, const LinkedPipelines& linked) : capture_(capture), linked_(linked) {}

  Replacements run() {
    for (const CapturedPipeline& each : capture_.pipelines) propose(each);
    for (const Handle module : capture_.used_otherwise) keep(module, kOtherUse);
    // A module that stays may leave another pipeline with one linked module of two.
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (const CapturedPipeline& each : capture_.pipelines) is_changed |= keep_if_torn(each);
    }
    Replacements result;
    for (const auto& [module, words] : proposed_) {
      if (changed_.count(module) == 0) continue;
      if (const auto reason = kept_.find(module); reason != kept_.end())
        ++result.kept[reason->second];
      else
        result.modules[module] = words;
    }
    return result;
  }

 private:
  using Results = std::map<Stage, std::shared_ptr<const Words>>;

  const Results* results_of(const CapturedPipeline& pipeline) const {
    const auto found = linked_.find(pipeline.key);
    return pipeline.key.empty() || found == linked_.end() ? nullptr : &found->second;
  }

  void propose(const CapturedPipeline& pipeline) {
    const Results* const results = results_of(pipeline);
    if (results == nullptr) {
      for (const Handle module : pipeline.modules) keep(module, kOtherUse);
      return;
    }
    for (std::size_t i = 0; i < pipeline.stage_modules.size(); ++i) {
      const Handle module = pipeline.stage_modules[i];
      const auto& words = results->at(pipeline.pipeline.stages[i].stage);
      if (is_other(module, words)) changed_.insert(module);
      const auto [place, is_new] = proposed_.emplace(module, words);
      if (!is_new && *place->second != *words) keep(module, kOtherResults);
    }
  }

  void keep(Handle module, const char* reason) { kept_.emplace(module, reason); }

  bool is_other(Handle module, const std::shared_ptr<const Words>& words) const {
    const auto own = capture_.modules.find(module);
    return own == capture_.modules.end() || !own->second || *own->second != *words;
  }

  // Modules that linking left as they were are both linked and original.
  bool keep_if_torn(const CapturedPipeline& pipeline) {
    const Results* const results = results_of(pipeline);
    if (results == nullptr) return false;
    bool has_linked = false, has_original = false;
    for (std::size_t i = 0; i < pipeline.stage_modules.size(); ++i) {
      const Handle module = pipeline.stage_modules[i];
      if (!is_other(module, results->at(pipeline.pipeline.stages[i].stage))) continue;
      (kept_.count(module) != 0 ? has_original : has_linked) = true;
    }
    if (!has_linked || !has_original) return false;
    for (const Handle module : pipeline.stage_modules) keep(module, kPartner);
    return true;
  }

  const Capture& capture_;
  const LinkedPipelines& linked_;
  std::map<Handle, std::shared_ptr<const Words>> proposed_;
  std::set<Handle> changed_;  // some result is other than the module
  std::map<Handle, const char*> kept_;
};

}  // namespace

Replacements replacements_of(const Capture& capture, const LinkedPipelines& linked) {
  return Choice(capture, linked).run();
}

}  // namespace varylink::formats::gfxreconstruct
