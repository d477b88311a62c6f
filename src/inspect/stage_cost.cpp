#include "inspect/stage_cost.h"

#include "driver/clean_up.h"
#include "driver/prepare.h"
#include "spirv/ir/decoration_groups.h"

namespace varylink::inspect {

std::optional<analysis::StageCost> stage_cost(const link::StageInput& stage, const analysis::CostProfile& profile) {
  Result<link::LinkedStage> read = driver::read_stage(stage.file, stage.stage, stage.words, stage.entry_point);
  if (!read) return std::nullopt;
  spirv::expand_decoration_groups(read->module);
  if (!driver::reason_to_leave_alone(*read).empty()) return std::nullopt;
  driver::prepare(*read);
  driver::fold_and_remove(*read);
  const auto model = static_cast<spv::ExecutionModel>(execution_model(stage.stage));
  return analysis::schedule(analysis::operation_graph(read->module, read->entry.function, model, profile), profile);
}

}  // namespace varylink::inspect
