#include "driver/estimated_cost.h"

#include <algorithm>
#include <set>

#include "analysis/operation_graph.h"
#include "analysis/schedule.h"
#include "analysis/stage_work.h"

namespace varylink::driver {

using link::Link;
using link::LinkedStage;

std::vector<LinkedStage*> stages_of(const std::vector<Link*>& links) {
  std::vector<LinkedStage*> stages;
  std::set<const LinkedStage*> seen;
  for (const Link* link : links)
    for (const auto* side : {&link->producers, &link->consumers})
      for (LinkedStage* stage : *side)
        if (seen.insert(stage).second) stages.push_back(stage);
  return stages;
}

namespace {

double runs_of(const LinkedStage& stage, const analysis::CostProfile& profile) {
  return stage.stage == Stage::fragment ? profile.fragments_per_vertex : 1;
}

analysis::OperationGraph graph_of(const LinkedStage& stage, const analysis::CostProfile& profile) {
  const auto model = static_cast<spv::ExecutionModel>(execution_model(stage.stage));
  return analysis::operation_graph(stage.module, stage.entry.function, model, profile);
}

// Locations above `placed` that the varyings were declared in.
std::uint32_t locations_saved(const std::vector<varyings::Varying>& varyings, std::uint32_t placed) {
  std::set<std::uint32_t> declared;
  for (const varyings::Varying& varying : varyings)
    for (const varyings::Slot slot : varying.slots) declared.insert(slot.location);
  const auto count = static_cast<std::uint32_t>(declared.size());
  return count - std::min(count, placed);
}

}  // namespace

std::map<const LinkedStage*, double> work_of_placement(const Link& link, std::uint32_t locations,
                                                       const analysis::CostProfile& profile) {
  std::map<const LinkedStage*, double> work;
  for (const LinkedStage* stage : link.producers)
    work[stage] += profile[analysis::OpClass::output_location].cost * locations_saved(stage->outputs, locations);
  for (const LinkedStage* stage : link.consumers)
    work[stage] += profile[analysis::OpClass::input_location].cost * locations_saved(stage->inputs, locations) *
                   runs_of(*stage, profile);
  return work;
}

double estimated_cost(const LinkedStage& stage, const analysis::CostProfile& profile) {
  const analysis::OperationCounts counts = analysis::count_operations(graph_of(stage, profile));
  return runs_of(stage, profile) * analysis::work_of(counts, profile);
}

double scheduled_slots(const LinkedStage& stage, const analysis::CostProfile& profile) {
  return runs_of(stage, profile) * analysis::schedule(graph_of(stage, profile), profile).slots;
}

bool trades_code(const std::vector<Link*>& links) {
  return std::any_of(links.begin(), links.end(), [](const Link* link) {
    return link->report.count(link::Outcome::uniform) + link->report.count(link::Outcome::moved) > 0;
  });
}

std::size_t moved_components(const std::vector<Link*>& links) {
  std::size_t moved = 0;
  for (const Link* link : links) moved += link->report.count(link::Outcome::moved);
  return moved;
}

bool copies_more(const std::vector<Link*>& links) {
  return std::any_of(links.begin(), links.end(), [](const Link* link) {
    return link->report.count(link::Outcome::constant) + link->report.count(link::Outcome::duplicate) > 0;
  });
}

}  // namespace varylink::driver
