#include "driver/stage_cost.h"

#include <vector>

#include "driver/open_stage.h"
#include "prepare/recipes.h"
#include "spirv/ir/decoration_groups.h"
#include "varyings/scalarize/scalarize_io.h"

namespace varylink::driver {
namespace {

// What every compiler does with a stage, so that it does not look better only because linking did it first: its own
// varyings become values, equal computations one, and what nothing needs goes. The result is for pricing alone: rules
// that keep linking from folding something do not hold here.
void simplify_as_compilers_do(link::LinkedStage& stage) {
  prepare::run_recipe(prepare::kPrepare, stage);
  prepare::run_recipe(prepare::kUnroll, stage);
  const auto own = stage.stage == Stage::fragment ? varyings::Direction::input : varyings::Direction::output;
  varyings::scalarize_io(stage.module, stage.entry, varyings::plan_side(stage.module, stage.entry, own));
  prepare::run_recipe(prepare::kForCost, stage);
}

}  // namespace

std::optional<analysis::StageCost> stage_cost(const link::StageInput& stage, const analysis::CostProfile& profile) {
  Result<link::LinkedStage> read = driver::read_stage(stage.file, stage);
  if (!read) return std::nullopt;
  spirv::expand_decoration_groups(read->module);
  if (!driver::reason_to_leave_alone(*read).empty()) return std::nullopt;
  simplify_as_compilers_do(*read);
  const auto model = static_cast<spv::ExecutionModel>(execution_model(stage.stage));
  return analysis::schedule(analysis::operation_graph(read->module, read->entry.function, model, profile), profile);
}

}  // namespace varylink::driver
