#include "spirv/cleanup/run_clean_up.h"

#include "spirv/cleanup/clean_ups.h"
#include "spirv/cleanup/simplify.h"
#include "spirv/ir/debug_records.h"
#include "spirv/ir/decoration_groups.h"
#include "spirv/ir/source_places.h"

namespace varylink::spirv {
namespace {

void remove_dead_code_but(Module& module, std::span<const Id> kept_globals, const SourcePlaces& places) {
  std::vector<Id> kept = places.held();
  kept.insert(kept.end(), kept_globals.begin(), kept_globals.end());
  remove_dead_code(module, kept);
}

void run_step(Module& module, CleanUp step, std::span<const Id> kept_globals, SourcePlaces& places) {
  switch (step) {
    case CleanUp::merge_returns: return merge_returns(module);
    case CleanUp::inline_functions: return inline_calls(module, places);
    case CleanUp::private_to_local: return private_to_local(module);
    case CleanUp::forward_array_copies: return forward_array_copies(module);
    case CleanUp::sroa: return sroa(module);
    case CleanUp::mem2reg: mem2reg(module); return forward_stores(module);
    case CleanUp::sccp: return sccp(module);
    case CleanUp::fold_integers: return fold_integers(module);
    case CleanUp::remove_dead_branches: return remove_dead_branches(module);
    case CleanUp::merge_blocks: return merge_blocks(module);
    case CleanUp::gvn: return gvn(module);
    case CleanUp::remove_dead_code: return remove_dead_code_but(module, kept_globals, places);
  }
}

// The ids of what went are given out again.
void lower_bound(Module& module) {
  while (module.bound > 1 && !module.def(module.bound - 1)) --module.bound;
}

}  // namespace

void run_clean_up(Module& module, std::span<const CleanUp> steps, std::span<const Id> kept_globals) {
  expand_decoration_groups(module);
  SourcePlaces places(module);
  for (const CleanUp step : steps) run_step(module, step, kept_globals, places);
  places.put_back(module);
  remove_dangling_annotations(module);
  remove_debug_of_removed(module);
  module.sweep();
  lower_bound(module);
}

}  // namespace varylink::spirv
