#include "driver/modelled_work.h"

#include <algorithm>

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

double modelled_work(const LinkedStage& stage, const analysis::CostProfile& profile) {
  const auto model = static_cast<spv::ExecutionModel>(execution_model(stage.stage));
  const double work = analysis::work_of(
      analysis::count_operations(analysis::operation_graph(stage.module, stage.entry.function, model, profile)),
      profile);
  return stage.stage == Stage::fragment ? profile.fragments_per_vertex * work : work;
}

bool trades_code(const std::vector<Link*>& links) {
  return std::any_of(links.begin(), links.end(), [](const Link* link) {
    return link->report.count(link::Fate::uniform) + link->report.count(link::Fate::moved) > 0;
  });
}

}  // namespace varylink::driver
