// Rules about which stages stand together in one pipeline.
#include <algorithm>
#include <array>

#include "check/checks.h"
#include "check/modes.h"

namespace varylink::check {
namespace {

const CheckedStage* find(const std::vector<CheckedStage>& stages, Stage wanted) {
  const auto found = std::find_if(stages.begin(), stages.end(),
                                  [&](const CheckedStage& stage) { return stage.view.entry.stage == wanted; });
  return found == stages.end() ? nullptr : &*found;
}

void report_about(Reporter& reporter, Rule rule, const CheckedStage& stage, std::string message) {
  reporter.report(rule, {&stage.view, 0, nullptr, 0, std::nullopt}, std::move(message));
}

void check_kinds(const std::vector<CheckedStage>& stages, Reporter& reporter) {
  const auto is_mesh = [](const CheckedStage& stage) {
    return stage.view.entry.stage == Stage::mesh || stage.view.entry.stage == Stage::task;
  };
  const auto is_primitive = [&](const CheckedStage& stage) {
    return stage.view.entry.stage != Stage::fragment && !is_mesh(stage);
  };
  const auto mesh = std::find_if(stages.begin(), stages.end(), is_mesh);
  const auto primitive = std::find_if(stages.begin(), stages.end(), is_primitive);
  if (mesh != stages.end() && primitive != stages.end())
    report_about(reporter, Rule::stages_mixed, *mesh,
                 "stands in one pipeline with " + primitive->view.file + ", a stage of the other kind of pipeline");
}

struct ModeRow {
  spv::ExecutionMode mode;
  const char* name;
};

constexpr std::array<ModeRow, 3> kSubdivisions = {{{spv::ExecutionMode::Triangles, "triangles"},
                                                   {spv::ExecutionMode::Quads, "quads"},
                                                   {spv::ExecutionMode::Isolines, "isolines"}}};

const ModeRow* subdivision(const CheckedStage& stage) {
  for (const ModeRow& row : kSubdivisions)
    if (has_mode(stage.view, row.mode)) return &row;
  return nullptr;
}

// Rule: the modes of tessellation may stand in either stage.
void check_tessellation(const CheckedStage& control, const CheckedStage& evaluation, Reporter& reporter) {
  const ModeRow* first = subdivision(control);
  const ModeRow* second = subdivision(evaluation);
  if (!first && !second)
    report_about(reporter, Rule::no_subdivision, evaluation,
                 "neither it nor " + control.view.file + " names triangles, quads or isolines");
  if (first && second && first != second)
    report_about(reporter, Rule::subdivision_differs, evaluation,
                 std::string("names ") + second->name + " but " + control.view.file + " names " + first->name);
  const auto size = mode_value(control.view, spv::ExecutionMode::OutputVertices);
  const auto other = mode_value(evaluation.view, spv::ExecutionMode::OutputVertices);
  if (!size && !other)
    report_about(reporter, Rule::no_patch_size, control,
                 "neither it nor " + evaluation.view.file + " says how many vertices a patch has");
  if (size && other && *size != *other)
    report_about(reporter, Rule::patch_size_differs, evaluation,
                 "has patches of " + std::to_string(*other) + " vertices but " + control.view.file + " of " +
                     std::to_string(*size));
}

// What the tessellator makes against what the geometry stage takes.
void check_geometry_input(const CheckedStage* control, const CheckedStage& evaluation, const CheckedStage& geometry,
                          Reporter& reporter) {
  const auto either = [&](spv::ExecutionMode mode) {
    return has_mode(evaluation.view, mode) || (control && has_mode(control->view, mode));
  };
  spv::ExecutionMode wanted = spv::ExecutionMode::Triangles;
  const char* name = "triangles";
  if (either(spv::ExecutionMode::PointMode)) {
    wanted = spv::ExecutionMode::InputPoints;
    name = "points";
  } else if (either(spv::ExecutionMode::Isolines)) {
    wanted = spv::ExecutionMode::InputLines;
    name = "lines";
  }
  if (has_mode(geometry.view, wanted)) return;
  report_about(reporter, Rule::geometry_input_primitive, geometry,
               "does not take " + std::string(name) + ", which is what " + evaluation.view.file + " makes");
}

void check_capturing_stages(const std::vector<CheckedStage>& stages, Reporter& reporter) {
  const CheckedStage* first = nullptr;
  for (const CheckedStage& stage : stages) {
    if (!stage.view.entry.captures) continue;
    if (first)
      report_about(reporter, Rule::xfb_several_stages, stage, "captures, and so does " + first->view.file);
    else
      first = &stage;
  }
  const auto is_fragment = [](const CheckedStage& stage) { return stage.view.entry.stage == Stage::fragment; };
  const auto last = std::find_if_not(stages.rbegin(), stages.rend(), is_fragment);
  if (first && last != stages.rend() && !last->view.entry.captures)
    report_about(reporter, Rule::xfb_not_last_stage, *first,
                 "captures, but " + last->view.file + " is the last stage in front of the rasterizer");
}

}  // namespace

void check_stage_set(const std::vector<CheckedStage>& stages, Reporter& reporter) {
  check_kinds(stages, reporter);
  const CheckedStage* control = find(stages, Stage::tess_control);
  const CheckedStage* evaluation = find(stages, Stage::tess_eval);
  const CheckedStage* geometry = find(stages, Stage::geometry);
  if (control && !evaluation)
    report_about(reporter, Rule::no_tess_eval, *control, "there is no tessellation evaluation stage");
  if (evaluation && !control)
    report_about(reporter, Rule::no_tess_control, *evaluation, "there is no tessellation control stage");
  if (control && evaluation) check_tessellation(*control, *evaluation, reporter);
  if (evaluation && geometry) check_geometry_input(control, *evaluation, *geometry, reporter);
  check_capturing_stages(stages, reporter);
}

}  // namespace varylink::check
