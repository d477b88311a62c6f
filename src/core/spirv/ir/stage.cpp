#include "spirv/ir/stage.h"

#include <array>

namespace varylink {
namespace {

struct StageRow {
  Stage stage;
  std::string_view name;
  std::uint32_t model;
};

constexpr std::array<StageRow, kStageCount> kStages = {{
    {Stage::vertex, "vert", 0},
    {Stage::tess_control, "tesc", 1},
    {Stage::tess_eval, "tese", 2},
    {Stage::geometry, "geom", 3},
    {Stage::task, "task", 5364},
    {Stage::mesh, "mesh", 5365},
    {Stage::fragment, "frag", 4},
}};

}  // namespace

std::string_view short_name(Stage stage) { return kStages[static_cast<std::size_t>(stage)].name; }

std::optional<Stage> stage_from_short_name(std::string_view name) {
  for (const StageRow& row : kStages)
    if (row.name == name) return row.stage;
  return std::nullopt;
}

std::optional<Stage> stage_from_execution_model(std::uint32_t model) {
  for (const StageRow& row : kStages)
    if (row.model == model) return row.stage;
  return std::nullopt;
}

std::uint32_t execution_model(Stage stage) { return kStages[static_cast<std::size_t>(stage)].model; }

}  // namespace varylink
