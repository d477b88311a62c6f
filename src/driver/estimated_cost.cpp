#include "driver/estimated_cost.h"

#include <algorithm>
#include <set>

#include "analysis/operation_graph.h"
#include "analysis/stage_work.h"

namespace varylink::driver {

using link::Link;
using link::LinkedStage;

std::vector<LinkedStage*> stages_of(const std::vector<Link*>& links) {
  std::vector<LinkedStage*> stages;
  for (const Link* link : links)
    for (const auto* side : {&link->producers, &link->consumers})
      for (LinkedStage* stage : *side)
        if (std::find(stages.begin(), stages.end(), stage) == stages.end()) stages.push_back(stage);
  return stages;
}

namespace {

// Locations above `placed` that the varyings were declared in.
std::uint32_t locations_saved(const std::vector<varyings::Varying>& varyings, std::uint32_t placed) {
  std::set<std::uint32_t> declared;
  for (const varyings::Varying& varying : varyings)
    for (const varyings::Slot slot : varying.slots) declared.insert(slot.location);
  const auto count = static_cast<std::uint32_t>(declared.size());
  return count - std::min(count, placed);
}

}  // namespace

double work_of_placement(const Link& link, const LinkedStage& stage, std::uint32_t locations,
                         const analysis::CostProfile& profile) {
  double work = 0;
  const auto has = [&](const std::vector<LinkedStage*>& side) {
    return std::find(side.begin(), side.end(), &stage) != side.end();
  };
  if (has(link.producers))
    work += profile[analysis::OpClass::output_location].cost * locations_saved(stage.outputs, locations);
  if (has(link.consumers))
    work += profile[analysis::OpClass::input_location].cost * locations_saved(stage.inputs, locations) *
            (stage.stage == Stage::fragment ? profile.fragments_per_vertex : 1);
  return work;
}

double estimated_cost(const LinkedStage& stage, const analysis::CostProfile& profile) {
  const auto model = static_cast<spv::ExecutionModel>(execution_model(stage.stage));
  const double work = analysis::work_of(
      analysis::count_operations(analysis::operation_graph(stage.module, stage.entry.function, model, profile)),
      profile);
  return stage.stage == Stage::fragment ? profile.fragments_per_vertex * work : work;
}

bool trades_code(const std::vector<Link*>& links) {
  return std::any_of(links.begin(), links.end(), [](const Link* link) {
    return link->report.count(link::Outcome::uniform) + link->report.count(link::Outcome::moved) > 0;
  });
}

}  // namespace varylink::driver
