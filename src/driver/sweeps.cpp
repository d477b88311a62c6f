#include "driver/sweeps.h"

#include <algorithm>
#include <array>
#include <set>

#include "driver/prepare.h"
#include "spirv/cleanup/equal_arms.h"
#include "spirv/cleanup/fold_identities.h"
#include "spirv/cleanup/partial_products.h"
#include "spirv/cleanup/simplify.h"

namespace varylink::driver {
namespace {

using link::Link;
using link::LinkedStage;
using passes::PassInfo;
using passes::Progress;

// Real pipelines come to rest after two or three rounds; the limit only guards against passes that undo each other.
constexpr int kMaxRounds = 24;

Result<bool> run_all(Link& link, const std::vector<const PassInfo*>& chosen, std::uint8_t phase,
                     passes::PassContext& context) {
  bool changed = false;
  for (const PassInfo* pass : chosen) {
    if (pass->phase != phase) continue;
    if (link.is_shared() && !pass->takes_sets) continue;
    const Result<Progress> progress = run_pass(*pass, link, context);
    if (!progress) return progress.error();
    changed = changed || *progress != Progress::none;
  }
  return changed;
}

// Control flow and memory that only fed what passes removed. Constants may decide branches.
void clean_up(LinkedStage& stage) {
  static constexpr std::array kMerge = {spirv::CleanUp::merge_redundancies};
  // A branch that only fed what passes removed leaves blocks behind that stand for nothing.
  static constexpr std::array kRemove = {spirv::CleanUp::remove_dead_code, spirv::CleanUp::merge_blocks};
  // Where two inputs became one, what is computed from them may have become the same, and an output a duplicate.
  if (stage.stage != Stage::vertex && stage.stage != Stage::fragment && !has_invariant(stage.module))
    stage.clean_up(kMerge);
  if (stage.has_new_constants) {
    fold_and_remove(stage);
  } else {
    stage.clean_up(kRemove);
    spirv::simplify(stage.module);
    if (spirv::merge_equal_arms(stage.module)) fold_and_remove(stage);
  }
  stage.has_dead_code = stage.has_new_constants = false;
}

void clean_up_changed(std::vector<Link>& links) {
  for (Link& link : links)
    for (const auto* side : {&link.producers, &link.consumers})
      for (LinkedStage* stage : *side)
        if (stage->has_dead_code) clean_up(*stage);
}

}  // namespace

void fold_and_remove(LinkedStage& stage) {
  static constexpr std::array kFold = {spirv::CleanUp::propagate_constants, spirv::CleanUp::remove_dead_branches,
                                       spirv::CleanUp::remove_dead_code, spirv::CleanUp::merge_blocks};
  do {
    stage.clean_up(kFold);
    spirv::simplify(stage.module);
    if (spirv::write_out_partial_products(stage.module)) spirv::simplify(stage.module);
  } while (spirv::merge_equal_arms(stage.module) ||
           (stage.may_fold_identities && spirv::fold_identities(stage.module)));
}

void remark_passes_not_run(std::vector<Link>& links, const std::vector<const PassInfo*>& chosen) {
  for (Link& link : links)
    for (const PassInfo* pass : chosen)
      if (link.is_shared() && !pass->takes_sets)
        link.remarks.push_back(
            {std::string(pass->name),
             std::string(short_name(link.report.producer)) + "->" + std::string(short_name(link.report.consumer)),
             "not run: it works on one producer and one consumer, and this interface has more"});
}

Result<void> run_to_fixed_point(std::vector<Link>& links, const std::vector<const PassInfo*>& chosen,
                                passes::PassContext& context) {
  std::vector<Link*> order;
  for (Link& link : links) order.push_back(&link);
  // The last interface is the turning point and need not be visited twice.
  for (std::size_t i = links.size(); i > 1; --i) order.push_back(&links[i - 2]);
  std::uint8_t phase = 0, last_phase = 0;
  for (const PassInfo* pass : chosen) last_phase = std::max(last_phase, pass->phase);
  for (int round = 0; round < kMaxRounds; ++round) {
    bool changed = false;
    for (Link* link : order) {
      const Result<bool> result = run_all(*link, chosen, phase, context);
      if (!result) return result.error();
      changed = changed || *result;
    }
    clean_up_changed(links);
    if (!changed && phase == last_phase) break;
    phase = changed ? 0 : phase + 1;
  }
  return {};
}

std::vector<const PassInfo*> chosen_passes(const link::LinkOptions& options, bool placing) {
  std::vector<const PassInfo*> chosen;
  const auto add = [&](const PassInfo& pass) {
    if (pass.places == placing) chosen.push_back(&pass);
  };
  if (options.passes.empty()) {
    for (const PassInfo& pass : passes::registry())
      if (pass.level <= options.level) add(pass);
  } else {
    for (const std::string& name : options.passes)
      if (const PassInfo* pass = passes::find_pass(name)) add(*pass);
  }
  return chosen;
}

}  // namespace varylink::driver
