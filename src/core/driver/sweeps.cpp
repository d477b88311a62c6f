#include "driver/sweeps.h"

#include <algorithm>
#include <numeric>

#include "prepare/recipes.h"

namespace varylink::driver {
namespace {

using link::Link;
using link::LinkedStage;
using passes::PassInfo;
using passes::Progress;

// Real pipelines come to rest after two or three rounds; the limit only guards against passes that undo each other
// (rule ).
constexpr int kMaxRounds = 24;

Result<bool> run_all(Link& link, const std::vector<const PassInfo*>& chosen, std::uint8_t phase,
                     passes::PassContext& context) {
  bool changed = false;
  for (const PassInfo* pass : chosen) {
    if (pass->phase != phase) continue;
    if (link.is_shared() && !pass->takes_sets) continue;
    if (context.found_nothing_before(*pass, link)) continue;
    const Result<Progress> progress = run_pass(*pass, link, context);
    if (!progress) return progress.error();
    if (*progress == Progress::none) context.note_nothing_found(*pass, link);
    changed = changed || *progress != Progress::none;
  }
  return changed;
}

bool has_leftovers(const LinkedStage& stage) {
  return !stage.stays_as_it_came() && !stage.properties.has(link::Property::no_leftovers);
}

void clean_up_changed(const std::vector<Link*>& links) {
  for (const Link* link : links)
    for (const auto* side : {&link->producers, &link->consumers})
      for (LinkedStage* stage : *side)
        if (has_leftovers(*stage)) prepare::run_recipe(prepare::kAfterPasses, *stage);
}

}  // namespace

void remark_passes_not_run(const std::vector<Link*>& links, const std::vector<const PassInfo*>& chosen) {
  for (Link* link : links)
    for (const PassInfo* pass : chosen)
      if (link->is_shared() && !pass->takes_sets)
        link->remarks.push_back({std::string(pass->name), link->report.stage_pair(),
                                 "not run: it works on one producer and one consumer, and this interface has more"});
}

Result<void> run_to_fixed_point(const std::vector<Link*>& links, const std::vector<const PassInfo*>& chosen,
                                passes::PassContext& context, const std::vector<bool>& first_phase_only) {
  std::vector<std::size_t> order(links.size());
  std::iota(order.begin(), order.end(), 0);
  // The last interface is the turning point and need not be visited twice.
  for (std::size_t i = links.size(); i > 1; --i) order.push_back(i - 2);
  std::uint8_t phase = 0, last_phase = 0;
  for (const PassInfo* pass : chosen) last_phase = std::max(last_phase, pass->phase);
  for (int round = 0; round < kMaxRounds; ++round) {
    bool changed = false;
    for (const std::size_t i : order) {
      if (phase > 0 && !first_phase_only.empty() && first_phase_only[i]) continue;
      const Result<bool> result = run_all(*links[i], chosen, phase, context);
      if (!result) return result.error();
      changed = changed || *result;
    }
    clean_up_changed(links);
    if (!changed && phase == last_phase) break;
    phase = changed ? 0 : phase + 1;
  }
  return {};
}

Result<void> run_once(const std::vector<Link*>& links, const std::vector<const PassInfo*>& chosen,
                      passes::PassContext& context) {
  for (Link* link : links)
    if (const Result<bool> done = run_all(*link, chosen, 0, context); !done) return done.error();
  clean_up_changed(links);
  return {};
}

std::vector<const PassInfo*> chosen_passes(const link::LinkOptions& options, bool placing) {
  std::vector<const PassInfo*> chosen;
  const auto add = [&](const PassInfo& pass) {
    if (pass.places == placing) chosen.push_back(&pass);
  };
  if (options.passes.empty()) {
    for (const PassInfo& pass : passes::registry())
      if (passes::is_chosen(options, pass.name)) add(pass);
  } else {
    for (const std::string& name : options.passes)
      if (const PassInfo* pass = passes::find_pass(name)) add(*pass);
  }
  return chosen;
}

}  // namespace varylink::driver
