#include "link/values/kept_rounding.h"

#include "analysis/backward_reach.h"
#include "analysis/built_in_slice.h"
#include "analysis/discontinuity.h"
#include "base/seeded_fault.h"
#include "spirv/ir/value_decorations.h"

namespace varylink::link {

// Rule.
std::vector<bool> keeps_rounding(const LinkedStage& consumer, bool interpolates, bool crosses_discontinuities) {
  const spirv::Module& module = consumer.module;
  if (seeded_fault("moved-code-may-be-fused")) return std::vector<bool>(module.bound, false);
  if (consumer.reaches_capture || consumer.stage == Stage::tess_control) return std::vector<bool>(module.bound, true);
  const spirv::Function& function = *module.function(consumer.entry.function);
  std::vector<bool> keeps = analysis::stops_rounding(module, function, crosses_discontinuities);
  const std::vector<bool> built_in =
      interpolates ? std::vector<bool>(keeps.size(), false) : analysis::reaches_built_in(module, function);
  const spirv::Manners manners(module);
  const std::vector<bool> precise = analysis::reaching(
      module, function, [&](spirv::InstRef inst) { return manners.of(module[inst].result).no_contraction; });
  for (std::size_t id = 0; id < keeps.size(); ++id) keeps[id] = keeps[id] || precise[id] || built_in[id];
  return keeps;
}

}  // namespace varylink::link
