#include "link/model/linked_stage.h"

#include <algorithm>
#include <atomic>

namespace varylink::link {

void LinkedStage::note_change() {
  static std::atomic<std::uint64_t> last = 0;
  revision = ++last;
}

void LinkedStage::note_scalarized() {
  if (stays_as_it_came()) return;
  properties.add({Property::io_scalarized});
  properties.remove({Property::locals_in_ssa});
}

bool LinkedStage::is_one_function() const {
  return std::all_of(module.functions.begin(), module.functions.end(), [&](const spirv::Function& function) {
    return function.result == entry.function ||
           std::find(kept_functions.begin(), kept_functions.end(), function.result) != kept_functions.end();
  });
}

void LinkedStage::clean_up(std::span<const spirv::CleanUp> steps) {
  spirv::run_clean_up(module, steps, kept_globals);
  if (std::ranges::find(steps, spirv::CleanUp::mem2reg) != steps.end()) promoted_below = module.bound;
  for (const spirv::EntryPoint& each : module.entries())
    if (each.inst == entry.inst) entry.interface = each.interface;
  note_change();
}

}  // namespace varylink::link
